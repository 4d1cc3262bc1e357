package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The same requests leave the same books, in groups and one by one")
class BooksIT {
  private static final int STEPS = 60;
  private static final List<String> KINDS =
      List.of("rich", "scarce", "nolimit", "credits", "overage", "all", "capped", "fresh");
  private static final String POLICY =
      "{\"monthlyMicroUsd\": 5000, \"requestCapMicroUsd\": 3000, \"openHolds\": 12}";

  private static Connection owner;
  private static Connection gateway;

  /** Two books: of groups, and of single calls. */
  private enum Book {
    GROUPS,
    SINGLE;

    String person(long seed, String kind) {
      return name().charAt(0) + "-" + seed + "-" + kind;
    }
  }

  private record Begin(String kind, UUID request, byte body, String target, long hold) {}

  private record End(String kind, UUID request, JsonObject end) {}

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("books");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    gateway = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run(owner, "SET search_path = ask, public");
    run(gateway, "SET search_path = ask, public; SET ROLE ask_gateway");
  }

  @AfterAll
  static void stop() throws SQLException {
    gateway.close();
    owner.close();
  }

  private static void run(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void open(String person, String kind) throws SQLException {
    String allowance =
        switch (kind) {
          case "rich" -> "1000000";
          case "nolimit" -> "NULL";
          default -> "9000";
        };
    String overage = kind.equals("overage") || kind.equals("all") ? "6000" : "NULL";
    if (kind.equals("fresh")) {
      return; // opened by its first request, by what the policy says
    }
    run(
        owner,
        "INSERT INTO budget_accounts (user_id, allowance_micro_usd, overage_cap_micro_usd,"
            + " overage_bound_micro_usd, request_cap_micro_usd) VALUES ('" + person + "', "
            + allowance + ", " + overage + ", coalesce(" + overage + ", 0), "
            + (kind.equals("capped") ? "800" : "NULL") + ")");
    if (kind.equals("credits") || kind.equals("all")) {
      run(owner, "SELECT grant_credits('" + person + "', 'one', 3000, '2999-01-01')");
      run(owner, "SELECT grant_credits('" + person + "', 'two', 2500, NULL)");
    }
  }

  /** Which of them began, by place; or how each was refused. */
  private static List<String> begin(Book book, long seed, List<Begin> begins) throws SQLException {
    if (book == Book.GROUPS) {
      return beginAll(seed, begins);
    }
    List<String> answers = new ArrayList<>();
    for (Begin one : begins) {
      answers.addAll(beginTurn(seed, one));
    }
    return answers;
  }

  private static List<String> beginAll(long seed, List<Begin> begins) throws SQLException {
    String sql =
        "SELECT coalesce(refusal, begun::text) FROM begin_all('node', ?, ?, ?::text[]::bytea[], ?,"
            + " ?, ?, ?, ?, ?::jsonb) ORDER BY place";
    try (PreparedStatement call = gateway.prepareStatement(sql)) {
      int n = begins.size();
      call.setArray(1, array("text", begins.stream().map(b -> Book.GROUPS.person(seed, b.kind))));
      call.setArray(2, array("uuid", begins.stream().map(Begin::request)));
      call.setArray(3, array("text", begins.stream().map(b -> "\\x0" + b.body)));
      call.setArray(4, array("text", begins.stream().map(Begin::target)));
      call.setArray(5, array("text", Collections.nCopies(n, "profile").stream()));
      call.setArray(6, array("int8", Collections.nCopies(n, 60_000L).stream()));
      call.setArray(7, array("int8", begins.stream().map(Begin::hold)));
      call.setArray(8, array("text", begins.stream().map(b -> "book-" + b.hold % 2)));
      call.setString(9, POLICY);
      return texts(call);
    }
  }

  private static List<String> beginTurn(long seed, Begin one) throws SQLException {
    String sql =
        "SELECT begin_turn(?, ?, ?::bytea, ?, NULL, NULL, NULL, '{}', '', 'profile', 'node', 60000,"
            + " ?, ?, 0, ?::jsonb) ->> 'begun'";
    try (PreparedStatement call = gateway.prepareStatement(sql)) {
      call.setString(1, Book.SINGLE.person(seed, one.kind));
      call.setObject(2, one.request);
      call.setString(3, "\\x0" + one.body);
      call.setString(4, one.target);
      call.setLong(5, one.hold);
      call.setString(6, "book-" + one.hold % 2);
      call.setString(7, POLICY);
      return texts(call);
    } catch (SQLException refused) {
      assertThat(refused.getSQLState()).startsWith("AG");
      return List.of(refused.getSQLState());
    }
  }

  private static List<String> finish(Book book, long seed, List<End> ends) throws SQLException {
    if (book == Book.GROUPS) {
      String sql =
          "SELECT coalesce(refusal, finished::text) FROM finish_all('node', ?, ?, ?::text[]::jsonb[],"
              + " ?::jsonb) ORDER BY place";
      try (PreparedStatement call = gateway.prepareStatement(sql)) {
        call.setArray(1, array("text", ends.stream().map(e -> book.person(seed, e.kind))));
        call.setArray(2, array("uuid", ends.stream().map(End::request)));
        call.setArray(3, array("text", ends.stream().map(e -> e.end.encode())));
        call.setString(4, POLICY);
        return texts(call);
      }
    }
    List<String> answers = new ArrayList<>();
    for (End one : ends) {
      try (PreparedStatement call = gateway.prepareStatement(
          "SELECT finish_turn(?, ?, 'node', ?::jsonb, ?::jsonb) ->> 'finished'")) {
        call.setString(1, book.person(seed, one.kind));
        call.setObject(2, one.request);
        call.setString(3, one.end.encode());
        call.setString(4, POLICY);
        answers.addAll(texts(call));
      }
    }
    return answers;
  }

  private static java.sql.Array array(String type, java.util.stream.Stream<?> values)
      throws SQLException {
    return gateway.createArrayOf(type, values.toArray());
  }

  private static List<String> texts(PreparedStatement call) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = call.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static JsonObject end(Random random, long hold) {
    boolean byok = hold == 0;
    long cost = byok
        ? 0
        : switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> hold;
          case 2 -> hold * 3;
          default -> random.nextLong(hold + 1);
        };
    boolean paid = random.nextInt(5) > 0;
    JsonObject usage = new JsonObject()
        .put("inputTokens", cost)
        .put("cacheReadTokens", 1)
        .put("cacheWriteTokens", 0)
        .put("outputTokens", 2)
        .put("reasoningTokens", 1)
        .put("estimated", random.nextBoolean());
    if (random.nextBoolean()) { // nodes of before say nothing of images
      usage.put("imageTokens", random.nextLong(cost + 1));
    }
    JsonObject end = new JsonObject()
        .put("status", paid ? "completed" : "failed")
        .put("provider", byok ? "byok-openai" : "p")
        .put("model", "m")
        .put("billingSource", byok ? "byok" : "managed_allowance")
        .put("finishReason", "stop")
        .put("usage", usage)
        .put("costMicroUsd", cost)
        .put("billableMicroUsd", paid ? cost : 0)
        .put("latencyMs", 1)
        .put("errorCode", paid ? null : random.nextBoolean() ? "interrupted" : "provider_failed");
    if (!byok && random.nextInt(4) == 0) {
      long failed = random.nextLong(500);
      end.put("failedAttempts", 1).put("failedCostMicroUsd", failed);
      if (random.nextBoolean()) {
        JsonObject attempt = usage.copy().put("provider", "q").put("model", "n");
        end.put("attempts", new JsonArray().add(attempt.put("costMicroUsd", failed)));
      }
    }
    return end;
  }

  private static List<Begin> begins(Random random, List<Begin> before) {
    List<Begin> begins = new ArrayList<>();
    for (int left = 1 + random.nextInt(10); left > 0; left--) {
      List<Begin> known = random.nextBoolean() ? before : begins;
      if (!known.isEmpty() && random.nextInt(6) == 0) {
        Begin twin = known.get(random.nextInt(known.size()));
        byte body = random.nextInt(3) == 0 ? (byte) 2 : twin.body;
        begins.add(new Begin(twin.kind, twin.request, body, twin.target, twin.hold));
      } else {
        long hold =
            random.nextInt(8) == 0 ? 0 : 1 + random.nextLong(random.nextInt(9) == 0 ? 4000 : 1200);
        begins.add(new Begin(
            KINDS.get(random.nextInt(KINDS.size())),
            new UUID(random.nextLong(), random.nextLong()),
            (byte) 1,
            random.nextBoolean() ? "completion" : "embedding",
            hold));
      }
    }
    return begins;
  }

  private static List<End> ends(Random random, List<Begin> begun, List<End> before) {
    List<End> ends = new ArrayList<>();
    Collections.shuffle(begun, random);
    for (int left = random.nextInt(Math.min(10, begun.size()) + 1); left > 0; left--) {
      Begin one = begun.remove(begun.size() - 1);
      ends.add(new End(one.kind, one.request, end(random, one.hold)));
    }
    if (!ends.isEmpty() && random.nextInt(4) == 0) {
      ends.add(ends.get(random.nextInt(ends.size()))); // told twice at once
    }
    if (!before.isEmpty() && random.nextInt(3) == 0) {
      End late = before.get(random.nextInt(before.size()));
      ends.add(new End(late.kind, late.request, end(random, 100)));
    }
    return ends;
  }

  /** All that is kept of a book, with no word of whose it is or when. */
  private static List<String> kept(Book book, long seed) throws SQLException {
    String kind = "split_part(user_id, '-', 3)";
    String mine = " WHERE user_id LIKE '" + book.person(seed, "%") + "'";
    List<String> kept = new ArrayList<>();
    for (String sql : List.of(
        "SELECT " + kind + " || (to_jsonb(a) - '{user_id,version,updated_at}'::text[])::text"
            + " FROM budget_accounts a",
        "SELECT " + kind + " || jsonb_build_array(request_id, kind, status, hold_micro_usd,"
            + " hold_credits_micro_usd, hold_overage_micro_usd, hold_month, hold_state,"
            + " settled_micro_usd, price_book_version)::text FROM answer_requests",
        "SELECT " + kind + " || (to_jsonb(e) - '{user_id,created_at}'::text[])::text"
            + " FROM ai_usage_events e",
        "SELECT " + kind + " || (to_jsonb(t) - '{user_id,created_at}'::text[])::text"
            + " FROM ai_usage_attempts t",
        "SELECT " + kind + " || source_key || remaining_micro_usd FROM credit_grants")) {
      try (PreparedStatement rows = owner.prepareStatement(sql + mine + " ORDER BY 1")) {
        kept.addAll(texts(rows));
      }
    }
    try (PreparedStatement sums = owner.prepareStatement("SELECT " + kind
        + " || jsonb_build_array(kind, state, price_book_version, sum(allowance), sum(postpaid),"
        + " sum(credits), sum(overage), sum(held), sum(revenue), sum(granted), sum(provider),"
        + " sum(cost), sum(absorbed))::text FROM ledger_transfers" + mine
        + " GROUP BY user_id, kind, state, price_book_version ORDER BY 1")) {
      kept.addAll(texts(sums));
    }
    return kept;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  @DisplayName("and each book keeps its rules after each step")
  void equal(long seed) throws SQLException {
    Random random = new Random(seed);
    Map<Book, List<String>> persons = new EnumMap<>(Book.class);
    for (Book book : Book.values()) {
      persons.put(book, KINDS.stream().map(kind -> book.person(seed, kind)).toList());
      for (String kind : KINDS) {
        open(book.person(seed, kind), kind);
      }
    }
    List<Begin> all = new ArrayList<>();
    List<Begin> begun = new ArrayList<>();
    List<End> ended = new ArrayList<>();
    List<String> told = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      List<Begin> begins = begins(random, all);
      List<String> answers = begin(Book.GROUPS, seed, begins);
      assertThat(begin(Book.SINGLE, seed, begins)).as("step %d", step).isEqualTo(answers);
      for (int i = 0; i < begins.size(); i++) {
        if (answers.get(i).equals("true")) {
          begun.add(begins.get(i));
        }
      }
      all.addAll(begins);
      told.addAll(answers);
      List<End> ends = ends(random, begun, ended);
      if (!ends.isEmpty()) {
        List<String> finished = finish(Book.GROUPS, seed, ends);
        assertThat(finish(Book.SINGLE, seed, ends)).as("step %d", step).isEqualTo(finished);
        ended.addAll(ends);
      }
      for (Book book : Book.values()) {
        assertThat(LedgerRules.broken(owner, persons.get(book)))
            .as("step %d", step)
            .isEmpty();
      }
    }
    assertThat(told).contains("true", "false", "AG402", "AG409"); // it was about all of this
    assertThat(kept(Book.GROUPS, seed)).hasSizeGreaterThan(200).isEqualTo(kept(Book.SINGLE, seed));
  }
}
