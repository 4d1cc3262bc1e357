package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.intake.Door.Answer;
import dev.askgateway.store.Begin;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ThreadsIT {
  private static final String THREADS = "/ai/assistant/threads";
  private static final String CHATS = "/ai/assistant/conversations/";
  private static final UserId OTHER = new UserId("somebody-else");
  private static Door door;
  private static Database database;
  private static Database owner;
  private static TurnRepository turns;
  private UserId me;

  @BeforeAll
  static void open() throws SQLException {
    String url = DevServices.shared().freshDatabase("intake");
    StoreConfig store = new StoreConfig(url, url, "ask", "ask_gateway", 4, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    mayClear(url);
    door = new Door();
    door.database = url;
    door.open();
    database = new Database(door.vertx, store);
    // What a test starts from is the owner's to set up: the gateway's role may not clear tables.
    owner = new Database(
        door.vertx,
        new StoreConfig(
            url,
            url,
            "ask",
            StoreConfig.Address.of("database.url", url).user(),
            2,
            Duration.ofSeconds(5)));
    turns = new TurnRepository(database);
  }

  /** These tests clear, as the gateway, what the gateway itself never deletes. */
  private static void mayClear(String url) throws SQLException {
    StoreConfig.Address owner = StoreConfig.Address.of("url", url);
    try (Connection connection =
            DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password());
        Statement grant = connection.createStatement()) {
      grant.execute("GRANT DELETE ON ask.chats TO ask_gateway");
    }
  }

  @AfterAll
  static void close() {
    door.close();
  }

  /** The door's person is one and the same, so each test clears what it has. */
  @BeforeEach
  void clear() {
    me = new UserId(Door.PERSON);
    run(me, "DELETE FROM conversation_assistant_threads WHERE user_id = $1");
    run(me, "DELETE FROM chats WHERE user_id = $1");
    run(me, "DELETE FROM user_preferences WHERE user_id = $1");
    door.answers.attached.clear();
    door.answers.cancelled.clear();
    door.answers.known.clear();
  }

  private static void run(UserId user, String sql, Object... more) {
    Tuple arguments = Tuple.of(user.value());
    for (Object one : more) {
      arguments.addValue(one);
    }
    Door.await(owner.as(user, client -> client.preparedQuery(sql).execute(arguments)));
  }

  private static UUID chat(UserId user, @Nullable String name, int daysAgo) {
    UUID id = UUID.randomUUID();
    run(
        user,
        "INSERT INTO chats (user_id, id, platform, platform_chat_id, name, last_message_at) "
            + "VALUES ($1, $2, 'whatsapp', $3, $4, now() - $5 * interval '1 day')",
        id,
        id.toString(),
        name,
        (double) daysAgo);
    return id;
  }

  /** Begins a turn the way an answer does, and leaves it running. */
  private static JsonObject begin(
      UserId user,
      UUID request,
      String target,
      @Nullable UUID thread,
      @Nullable String key,
      @Nullable UUID chat) {
    return Door.await(turns.begin(new Begin(
        user,
        request,
        Buffer.buffer("fingerprint"),
        target,
        thread,
        key,
        chat,
        chat == null ? List.of() : List.of(chat),
        "Who was at dinner?",
        "assistant_grounded",
        "node-1",
        Duration.ofMinutes(5),
        0,
        "book-1",
        6)));
  }

  private static void finish(UserId user, UUID request, String status, @Nullable String code) {
    JsonObject usage = new JsonObject()
        .put("inputTokens", 10)
        .put("cacheReadTokens", 0)
        .put("cacheWriteTokens", 0)
        .put("outputTokens", 5)
        .put("reasoningTokens", 0)
        .put("estimated", false);
    JsonObject end = new JsonObject()
        .put("content", "Ana was [S1].")
        .put(
            "citations",
            new JsonArray().add(new JsonObject().put("label", "S1").putNull("chatName")))
        .put("status", status)
        .put("queryPlan", new JsonObject().put("intent", "identity_lookup"))
        .put("provider", "fake")
        .put("model", "none")
        .put("finishReason", "stop")
        .put("errorCode", code)
        .put("usage", usage)
        .put("costMicroUsd", 0)
        .put("latencyMs", 12);
    Door.await(turns.finish(user, request, "node-1", end));
  }

  private static UUID answered(UserId user, UUID thread) {
    UUID request = UUID.randomUUID();
    begin(user, request, "thread", thread, null, null);
    finish(user, request, "completed", null);
    return request;
  }

  private static Answer delete(String path) {
    return door.send(door.signed(path).DELETE());
  }

  private static UUID made(@Nullable String title) {
    Answer made =
        door.post(THREADS, title == null ? new JsonObject() : new JsonObject().put("title", title));
    assertThat(made.status()).isEqualTo(201);
    return UUID.fromString(made.data().getString("id"));
  }

  @Test
  @DisplayName("a thread is made with its title or the usual one, in the shape clients know")
  void create() {
    Answer made = door.post(THREADS, new JsonObject().put("title", "  Trip\u0000s "));
    assertThat(made.data().fieldNames())
        .containsExactlyInAnyOrder("id", "title", "chat_id", "created_at", "updated_at");
    assertThat(made.data().getString("title")).isEqualTo("Trips");
    assertThat(made.data().getValue("chat_id")).isNull();
    Answer bare =
        door.send(door.signed(THREADS).POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
    assertThat(bare.status()).isEqualTo(201);
    assertThat(bare.data().getString("title")).isEqualTo("New conversation");
  }

  @Test
  @DisplayName(
      "the list holds every global thread once, newest first, page by page, and nobody else's")
  void listPages() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      made.add(0, made("Thread " + i).toString());
    }
    // Same instant for several: the id decides, and no page loses one of them.
    run(
        me,
        "UPDATE conversation_assistant_threads SET updated_at = '2026-01-01T00:00:00.123456Z' "
            + "WHERE user_id = $1 AND title IN ('Thread 3','Thread 4','Thread 5','Thread 6')");
    begin(OTHER, UUID.randomUUID(), "new", null, null, null);
    begin(me, UUID.randomUUID(), "chat", null, null, chat(me, "Ana", 0));
    List<String> seen = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      Answer page = door.get(THREADS + "?limit=5" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      page.json().getJsonArray("data").stream()
          .map(JsonObject.class::cast)
          .forEach(thread -> seen.add(thread.getString("id")));
      cursor = page.json().getString("nextCursor", "");
      pages++;
    } while (!cursor.isEmpty());
    assertThat(pages).isEqualTo(5);
    assertThat(seen).hasSize(23).doesNotHaveDuplicates();
    assertThat(new HashSet<>(seen)).isEqualTo(new HashSet<>(made));
    assertThat(seen.subList(0, 16)).isEqualTo(made.subList(0, 16));
    Answer whole = door.get(THREADS);
    assertThat(whole.json().getJsonArray("data")).hasSize(23);
    assertThat(whole.json().containsKey("nextCursor")).isFalse();
  }

  @Test
  @DisplayName("a page that ends with the last thread says that it does")
  void exactPage() {
    made("a");
    made("b");
    Answer page = door.get(THREADS + "?limit=2");
    assertThat(page.json().getJsonArray("data")).hasSize(2);
    assertThat(page.json().containsKey("nextCursor")).isFalse();
  }

  @Test
  @DisplayName("the history's newest page comes first, each page oldest turn first")
  void history() {
    UUID thread = made(null);
    List<UUID> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      requests.add(answered(me, thread));
    }
    Answer newest = door.get(THREADS + "/" + thread + "?limit=3");
    assertThat(newest.data().getJsonObject("thread").getString("title"))
        .isEqualTo("Who was at dinner?");
    assertThat(roles(newest)).containsExactly("assistant", "user", "assistant");
    JsonObject turn = newest.data().getJsonArray("turns").getJsonObject(2);
    assertThat(turn.fieldNames())
        .contains(
            "id",
            "role",
            "content",
            "citations",
            "actions",
            "scope_chat_ids",
            "status",
            "request_id",
            "created_at",
            "queryPlan");
    assertThat(turn.getString("request_id")).isEqualTo(requests.get(3).toString());
    assertThat(turn.getJsonArray("citations").getJsonObject(0).containsKey("chatName"))
        .isTrue();
    String cursor = newest.data().getString("nextCursor");
    Answer older = door.get(THREADS + "/" + thread + "?limit=3&cursor=" + cursor);
    assertThat(roles(older)).containsExactly("user", "assistant", "user");
    Answer oldest = door.get(
        THREADS + "/" + thread + "?limit=3&cursor=" + older.data().getString("nextCursor"));
    assertThat(roles(oldest)).containsExactly("user", "assistant");
    assertThat(oldest.data().containsKey("nextCursor")).isFalse();
    assertThat(door.get(THREADS + "?cursor=" + cursor).status())
        .as("of another list")
        .isEqualTo(400);
  }

  private static List<String> roles(Answer page) {
    return page.data().getJsonArray("turns").stream()
        .map(turn -> ((JsonObject) turn).getString("role"))
        .toList();
  }

  @Test
  @DisplayName(
      "a chat's thread is no global thread and the reverse; what is another's is not there")
  void apart() {
    UUID chat = chat(me, "Ana", 1);
    assertThat(door.get(CHATS + chat).status()).isEqualTo(404);
    String nothingYet = door.get(CHATS + chat).json().getString("error");
    assertThat(nothingYet)
        .isNotEqualTo(door.get(CHATS + UUID.randomUUID()).json().getString("error"));
    JsonObject begun = begin(me, UUID.randomUUID(), "chat", null, null, chat);
    String thread = begun.getString("threadId");
    assertThat(door.get(CHATS + chat).data().getJsonObject("thread").getString("chat_id"))
        .isEqualTo(chat.toString());
    assertThat(door.get(THREADS + "/" + thread).status()).isEqualTo(404);
    assertThat(delete(THREADS + "/" + thread).status()).isEqualTo(200);
    assertThat(door.get(CHATS + chat).status())
        .as("not deleted as a global one")
        .isEqualTo(200);
    UUID global = made(null);
    assertThat(door.get(CHATS + global).status()).isEqualTo(404);
    delete(CHATS + global);
    assertThat(door.get(THREADS + "/" + global).status()).isEqualTo(200);

    String foreign = begin(OTHER, UUID.randomUUID(), "new", null, null, null).getString("threadId");
    Answer mine = door.get(THREADS + "/" + foreign);
    assertThat(mine.status()).isEqualTo(404);
    assertThat(mine.code()).isEqualTo("not_found");
    UUID theirChat = chat(OTHER, "Bea", 0);
    assertThat(refused(theirChat)).isEqualTo(refused(UUID.randomUUID()));
    assertThat(delete(THREADS + "/" + foreign).status()).isEqualTo(200);
    assertThat(rows(
            OTHER,
            "SELECT 1 FROM conversation_assistant_threads WHERE user_id = $1 AND id = '" + foreign
                + "'"))
        .isEqualTo(1);
  }

  private static int rows(UserId user, String sql) {
    return Door.await(database.as(
        user,
        client ->
            client.preparedQuery(sql).execute(Tuple.of(user.value())).map(found -> found.size())));
  }

  @Test
  @DisplayName("deleting is idempotent and stops what still runs there")
  void deleteStops() {
    UUID thread = made(null);
    UUID done = answered(me, thread);
    UUID running = UUID.randomUUID();
    begin(me, running, "thread", thread, null, null);
    assertThat(delete(THREADS + "/" + thread).json())
        .isEqualTo(new JsonObject().put("success", true));
    assertThat(door.answers.cancelled).containsExactly(running).doesNotContain(done);
    assertThat(delete(THREADS + "/" + thread).status()).isEqualTo(200);
    assertThat(door.get(THREADS + "/" + thread).status()).isEqualTo(404);
    finish(me, running, "cancelled", null);
    assertThat(rows(me, "SELECT 1 FROM conversation_assistant_turns WHERE user_id = $1"))
        .isZero();
    UUID chat = chat(me, "Ana", 0);
    UUID aboutChat = UUID.randomUUID();
    begin(me, aboutChat, "chat", null, null, chat);
    assertThat(delete(CHATS + chat).status()).isEqualTo(200);
    assertThat(door.answers.cancelled).containsExactly(running, aboutChat);
    assertThat(door.get(CHATS + chat).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("mentions are eight at most, the most recent first, and wildcards mean nothing")
  void mentions() {
    for (int i = 0; i < 10; i++) {
      chat(me, "Ana " + i, 20 - i);
    }
    UUID tricky = chat(me, "100 percent", 0);
    chat(me, null, 0);
    chat(OTHER, "Ana of somebody else", 0);
    JsonArray found =
        door.get("/ai/assistant/mention-candidates?q=aNA").json().getJsonArray("data");
    assertThat(found.stream().map(chat -> ((JsonObject) chat).getString("name")).toList())
        .containsExactly("Ana 9", "Ana 8", "Ana 7", "Ana 6", "Ana 5", "Ana 4", "Ana 3", "Ana 2");
    assertThat(found.getJsonObject(0).fieldNames())
        .containsExactlyInAnyOrder("id", "name", "platform", "is_group", "last_message_at");
    JsonArray percent =
        door.get("/ai/assistant/mention-candidates?q=100%25").json().getJsonArray("data");
    assertThat(percent).hasSize(1);
    assertThat(percent.getJsonObject(0).getString("id")).isEqualTo(tricky.toString());
    assertThat(door.get("/ai/assistant/mention-candidates?q=_n%5C_").json().getJsonArray("data"))
        .hasSize(8);
    assertThat(door.get("/ai/assistant/mention-candidates").json().getJsonArray("data"))
        .hasSize(8);
    assertThat(door.get("/ai/assistant/mention-candidates?q=1.5").json().getJsonArray("data"))
        .isEmpty();
  }

  @Test
  @DisplayName(
      "indexing can be asked for and looked at, but not started where the assistant is off")
  void index() {
    Answer status = door.get("/ai/assistant/index/status");
    assertThat(status.data().fieldNames())
        .containsExactlyInAnyOrder(
            "status",
            "indexedCount",
            "totalCount",
            "waitingCount",
            "parkedCount",
            "parkedByCode",
            "lastIndexedAt",
            "lastError");
    Answer started = door.send(
        door.signed("/ai/assistant/index").POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
    assertThat(started.status()).isEqualTo(202);
    assertThat(started.data().getString("status")).isEqualTo("idle");
    assertThat(door.indexed).contains(me);
    door.indexed.clear();
    run(
        me,
        "INSERT INTO user_preferences (user_id, preferences) VALUES ($1, '{\"ai_enabled\": false}')");
    Answer off = door.send(
        door.signed("/ai/assistant/index").POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
    assertThat(off.status()).isEqualTo(403);
    assertThat(off.code()).isEqualTo("ai_disabled");
    assertThat(door.indexed).isEmpty();
    assertThat(door.get("/ai/assistant/index/status").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("a request tells its turn, plan, state and usage while it runs and when it ended")
  void requests() {
    UUID request = UUID.randomUUID();
    String path = "/ai/assistant/requests/" + request;
    assertThat(door.get(path).status()).isEqualTo(404);
    begin(me, request, "new", null, null, null);
    assertThat(door.get(path).data().getString("status")).isEqualTo("streaming");
    finish(me, request, "failed", "provider_truncated");
    JsonObject ended = door.get(path).data();
    assertThat(ended.getString("status")).isEqualTo("failed");
    assertThat(ended.getJsonObject("error"))
        .isEqualTo(new JsonObject().put("code", "provider_truncated").put("retryable", true));
    assertThat(ended.getJsonObject("usage").getInteger("inputTokens")).isEqualTo(10);
    assertThat(ended.getJsonObject("queryPlan").getString("intent")).isEqualTo("identity_lookup");
    assertThat(ended.getJsonObject("turn").getString("content")).isEqualTo("Ana was [S1].");
    assertThat(ended.getJsonObject("turn").getJsonArray("citations")).hasSize(1);
    assertThat(ended.encode()).doesNotContain("node-1").doesNotContain("lease");
    UUID theirs = UUID.randomUUID();
    begin(OTHER, theirs, "new", null, null, null);
    assertThat(door.get("/ai/assistant/requests/" + theirs).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("a search's request has a turn without text")
  void searchRequest() {
    UUID request = UUID.randomUUID();
    begin(me, request, "search", null, null, null);
    finish(me, request, "completed", null);
    JsonObject search = door.get("/ai/assistant/requests/" + request).data();
    assertThat(search.getString("kind")).isEqualTo("search");
    assertThat(search.getJsonObject("turn").getString("content")).isEmpty();
    assertThat(search.containsKey("thread")).isFalse();
  }

  @Test
  @DisplayName("a stop reaches what runs, leaves what ended, and knows nothing of another's")
  void cancel() {
    UUID request = UUID.randomUUID();
    assertThat(stop(request).status()).isEqualTo(404);
    begin(me, request, "new", null, null, null);
    Answer stopped = stop(request);
    assertThat(stopped.status()).isEqualTo(202);
    assertThat(stopped.data().getString("status")).isEqualTo("streaming");
    assertThat(stop(request).status()).as("repeated").isEqualTo(202);
    finish(me, request, "cancelled", null);
    Answer late = stop(request);
    assertThat(late.status()).isEqualTo(200);
    assertThat(late.data().getString("status")).isEqualTo("cancelled");
    assertThat(door.answers.cancelled).containsExactly(request, request);
    UUID theirs = UUID.randomUUID();
    begin(OTHER, theirs, "new", null, null, null);
    assertThat(stop(theirs).status()).isEqualTo(404);
    assertThat(door.answers.cancelled).doesNotContain(theirs);
  }

  private static Answer stop(UUID request) {
    return door.send(door.signed("/ai/assistant/requests/" + request + "/cancel")
        .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
  }

  @Test
  @DisplayName(
      "the SDK's resume finds the newest request of its thread, while it runs and shortly after")
  void resume() {
    String path = "/ai/assistant/messages/c%2F1%20+/stream";
    assertThat(door.get(path).status()).as("unknown").isEqualTo(204);
    UUID first = UUID.randomUUID();
    JsonObject begun = begin(me, first, "client", null, "c/1 +", null);
    finish(me, first, "completed", null);
    UUID second = UUID.randomUUID();
    begin(me, second, "client", null, "c/1 +", null);
    door.answers.known.add(first);
    door.answers.known.add(second);
    Answer running = door.get(path, "Accept", "*/*");
    assertThat(running.status()).isEqualTo(200);
    assertThat(running.header("content-type")).startsWith("text/event-stream");
    finish(me, second, "completed", null);
    assertThat(door.get(path).status()).as("just ended").isEqualTo(200);
    String thread = begun.getString("threadId");
    assertThat(door.get("/ai/assistant/messages/" + thread + "/stream").status())
        .isEqualTo(200);
    assertThat(door.get(THREADS + "/" + thread + "/messages/any/stream").status())
        .isEqualTo(200);
    assertThat(door.answers.attached).containsOnly(second);
    run(
        me,
        "UPDATE answer_requests SET finished_at = finished_at - interval '3 minutes' WHERE user_id = $1");
    assertThat(door.get(path).status()).as("long ended").isEqualTo(204);
    begin(OTHER, UUID.randomUUID(), "client", null, "theirs", null);
    assertThat(door.get("/ai/assistant/messages/theirs/stream").status()).isEqualTo(204);
  }

  @Test
  @DisplayName("a chat's resume and its JSON answer read that chat's thread")
  void chatResume() {
    UUID chat = chat(me, "Ana", 0);
    UUID request = UUID.randomUUID();
    begin(me, request, "chat", null, null, chat);
    door.answers.known.add(request);
    assertThat(door.get(CHATS + chat + "/messages/x/stream").status()).isEqualTo(200);
    assertThat(door.get(CHATS + UUID.randomUUID() + "/messages/x/stream").status())
        .isEqualTo(204);
    finish(me, request, "completed", null);
    Answer json = door.post(CHATS + chat + "/messages", new JsonObject().put("question", "When?"));
    assertThat(json.status()).isEqualTo(200);
    assertThat(json.data().getJsonObject("thread").getString("chat_id")).isEqualTo(chat.toString());
    assertThat(roles(json)).containsExactly("user", "assistant");
    assertThat(json.data().getString("answer")).isEqualTo("Saturday it is.");
  }

  /** What is told of a chat that may not be seen, but for the request's id. */
  private JsonObject refused(UUID chat) {
    JsonObject told = door.get(CHATS + chat).json();
    assertThat(told.remove("requestId")).isNotNull();
    return told;
  }
}
