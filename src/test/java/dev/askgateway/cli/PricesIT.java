package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("prices and rebill")
class PricesIT {
  private static final Pattern VERSION = Pattern.compile("\\S+@\\S+#[0-9a-f]{16}");

  @TempDir
  private Path folder;

  private String url;

  private record Ran(int code, String out, String err) {}

  @BeforeEach
  void migrated() {
    url = DevServices.shared().freshDatabase("prices");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
  }

  private Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(
        arguments,
        Map.of("DATABASE_URL", url),
        config -> Future.failedFuture("nothing is served"),
        (vertx, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    return new Ran(code, out.toString().strip(), err.toString().strip());
  }

  private Ran load(String id, String day, String input) throws IOException {
    Path file = Files.writeString(
        folder.resolve("prices.yaml"),
        "id: " + id + "\nvalidFrom: " + day + "\nmodels:\n  p:m: {input: \"" + input
            + "\", cacheRead: \"0.1\", output: \"2\", reasoning: \"4\", embedding: \"0.02\"}\n");
    return run("prices", "load", file.toString());
  }

  private static String version(Ran ran) {
    Matcher version = VERSION.matcher(ran.out());
    assertThat(version.find()).as(ran.toString()).isTrue();
    return version.group();
  }

  /** A usage row: 10 in, 20 from the cache, 7 out of which 2 reasoning. */
  private UUID row(String person, String feature, String day, String version, long cost)
      throws SQLException {
    UUID request = UUID.randomUUID();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement insert = owner.createStatement()) {
      insert.execute("INSERT INTO ask.ai_usage_events (user_id, request_id, feature, profile,"
          + " provider, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,"
          + " reasoning_tokens, estimated, provider_cost_micro_usd, billable_cost_micro_usd,"
          + " price_book_version, latency_ms, status, created_at) VALUES ('" + person + "', '"
          + request + "', '" + feature + "', 'x', 'p', 'm', 10, 20, 0, 7, 2, false, " + cost
          + ", 0, '" + version + "', 1, 'released', '" + day + "T23:59:59.9Z')");
    }
    return request;
  }

  @Test
  @DisplayName("load puts a book in once, and list tells which is in force")
  void loads() throws IOException {
    assertThat(run("prices", "list").out()).isEqualTo("There are no price books yet.");

    Ran first = load("list", "2020-01-01", "1");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out())
        .matches("Loaded: list@2020-01-01#[0-9a-f]{16}, models with prices: 1\\.");
    assertThat(load("list", "2020-01-01", "1.000").out())
        .isEqualTo("There already: " + version(first) + ", models with prices: 1.");
    Ran later = load("list", "2999-01-01", "3");

    assertThat(run("prices", "list").out().lines().toList())
        .satisfiesExactly(
            one -> assertThat(one)
                .startsWith(version(first) + "  models 1  loaded 2")
                .endsWith("  in force"),
            two -> assertThat(two).startsWith(version(later)).doesNotContain("in force"));
  }

  @Test
  @DisplayName("load refuses in one sentence what cannot be")
  void refuses() throws IOException {
    assertThat(load("list", "2020-01-01", "1").code()).isZero();

    Ran other = load("list", "2020-01-01", "2");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err())
        .isEqualTo("It could not be done: the price book list of 2020-01-01 is there with other"
            + " prices, and a version in use cannot change: give this one another id or validFrom");
    Ran wrong = load("list", "2020-01-02", "x");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err())
        .startsWith("It could not be done: models.p:m.input is \"x\"; it must be")
        .hasLineCount(1);
    assertThat(run("prices", "list").out().lines()).hasSize(1);
  }

  @Test
  @DisplayName("rebill finds every row as computed, each with the book it names, in many pages")
  void rebills() throws Exception {
    String one = version(load("list", "2020-01-01", "1"));
    String two = version(load("list", "2020-01-02", "3"));
    // 10 x 1 + 20 x 0.1 + 5 x 2 + 2 x 4, then 10 x 3 instead; vectors: 30 x 0.02 rounds to 1.
    for (String person : new String[] {"ana", "ben"}) {
      row(person, "completion", "2026-11-29", one, 30);
      row(person, "assistant", "2026-11-30", two, 50);
      row(person, "embedding", "2026-11-30", one, 1);
      row(person, "assistant", "2026-12-01", "gone@2020-01-01#0000000000000000", 1);
    }
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement many = owner.createStatement()) {
      many.execute("INSERT INTO ask.ai_usage_events SELECT (jsonb_populate_record(u,"
          + " jsonb_build_object('request_id', gen_random_uuid(), 'user_id', 'p' || n % 7))).*"
          + " FROM ask.ai_usage_events u, generate_series(1, 2500) n"
          + " WHERE u.user_id = 'ana' AND u.provider_cost_micro_usd = 30");
    }

    Ran ran = run("rebill", "--as-of", "2026-11-30", "--check");

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out().lines())
        .containsExactly("Rows up to 2026-11-30: 2506; other calls: 0; differences: 0.");
  }

  @Test
  @DisplayName("rebill tells each row that has another cost or an unknown book, and ends with 1")
  void differences() throws Exception {
    String book = version(load("list", "2020-01-01", "1"));
    String unknown = "gone@2020-01-01#0000000000000000";
    UUID wrong = row("qz-secret-name", "completion", "2026-11-30", book, 31);
    UUID lost = row("qz-secret-name", "completion", "2026-11-30", unknown, 30);
    row("qz-secret-name", "completion", "2026-11-30", book, 30);

    Ran ran = run("rebill", "--as-of", "2026-11-30", "--check");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .containsExactlyInAnyOrder(
            wrong + "  stored 31  computed 30  prices " + book,
            lost + "  stored 30  computed unknown book  prices " + unknown,
            "Rows up to 2026-11-30: 3; other calls: 0; differences: 2.");
    assertThat(ran.out()).doesNotContain("qz-secret-name");
  }

  @Test
  @DisplayName(
      "rebill computes attempts that gave nothing, and says which rows are older than those")
  void attempts() throws Exception {
    String book = version(load("list", "2020-01-01", "1"));
    UUID right = row("ana", "completion", "2026-11-30", book, 30);
    UUID dear = row("ana", "completion", "2026-11-30", book, 30);
    UUID old = row("ana", "completion", "2026-11-30", book, 30);
    attempt(right, 1, 30);
    attempt(right, 2, 30);
    attempt(dear, 1, 31);
    owner("UPDATE ask.ai_usage_events SET failed_cost_micro_usd = CASE request_id WHEN '" + right
        + "' THEN 60 WHEN '" + dear + "' THEN 30 ELSE 9 END WHERE request_id IN ('" + right + "', '"
        + dear + "', '" + old + "')");

    Ran ran = run("rebill", "--as-of", "2026-11-30", "--check");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .containsExactly(
            dear + "  stored failed 30  computed failed 31  prices " + book,
            dear + "  stored 31  computed 30  prices " + book,
            "Rows up to 2026-11-30: 3; other calls: 3; differences: 2.",
            "Not computed again: what other calls cost in 1 rows of before their tokens were kept.");
  }

  @Test
  @DisplayName(
      "rebill computes images apart, and what vectors of questions and messages cost by theirs")
  void imagesAndVectors() throws Exception {
    Path file = Files.writeString(
        folder.resolve("images.yaml"),
        "id: images\nvalidFrom: 2020-01-01\nmodels:\n  p:m: {input: \"1\", output: \"2\","
            + " image: \"7\", embedding: \"0.5\"}\n");
    String book = version(run("prices", "load", file.toString()));
    // 6 x 1 + 4 x 7 + 20 x 1 + 7 x 2; vectors: 30 x 0.5.
    UUID image = row("ana", "completion", "2026-11-30", book, 68);
    UUID messages = row("ana", "indexing", "2026-11-30", book, 15);
    UUID question = row("ana", "assistant", "2026-11-30", book, 44);
    attempt(question, 1, 15);
    owner("UPDATE ask.ai_usage_events SET image_tokens = 4 WHERE request_id = '" + image + "'");
    owner("UPDATE ask.ai_usage_events SET billing_source = 'internal' WHERE request_id = '"
        + messages + "'");
    owner("UPDATE ask.ai_usage_attempts SET purpose = 'embedding'");
    owner("UPDATE ask.ai_usage_events SET failed_cost_micro_usd = 15 WHERE request_id = '"
        + question + "'");

    Ran ran = run("rebill", "--as-of", "2026-11-30", "--check");

    assertThat(ran.out().lines())
        .containsExactly("Rows up to 2026-11-30: 3; other calls: 1; differences: 0.");
  }

  /** A call of the request with the tokens of its row. */
  private void attempt(UUID request, int number, long cost) throws SQLException {
    owner("INSERT INTO ask.ai_usage_attempts (user_id, request_id, attempt, provider, model,"
        + " input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens,"
        + " estimated, provider_cost_micro_usd, price_book_version, created_at) SELECT user_id,"
        + " request_id, " + number + ", provider, model, input_tokens, cache_read_tokens,"
        + " cache_write_tokens, output_tokens, reasoning_tokens, estimated, " + cost
        + ", price_book_version, created_at FROM ask.ai_usage_events WHERE request_id = '"
        + request + "'");
  }

  private void owner(String sql) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement statement = owner.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  @DisplayName("wrong usage ends with 2")
  void usage() {
    for (String line : new String[] {
      "rebill",
      "rebill --check",
      "rebill --as-of 2026-11-30",
      "rebill --as-of soon --check",
      "prices",
      "prices load",
      "prices other"
    }) {
      assertThat(run(line.split(" ", -1)).code()).as(line).isEqualTo(2);
    }
  }
}
