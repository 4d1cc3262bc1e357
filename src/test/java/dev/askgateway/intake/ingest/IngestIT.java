package dev.askgateway.intake.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.demo.SampleConversations;
import dev.askgateway.intake.ingest.IngestServer.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IngestIT {
  private static final List<UserId> WOKEN = new CopyOnWriteArrayList<>();
  private static Vertx vertx;
  private static IngestData data;
  private static IngestServer server;

  /** Each test is another person, so that none sees what another left. */
  private String user;

  @BeforeAll
  static void open() throws Exception {
    vertx = Vertx.vertx();
    data = new IngestData(vertx);
    IngestConfig config = new IngestConfig(512 * 1024, 256 << 20, 500, 100);
    server = new IngestServer(vertx, new IngestHandler(data.repository::write, config, WOKEN::add));
  }

  @AfterAll
  static void close() throws Exception {
    server.close();
    data.close();
    vertx.close().await();
  }

  @BeforeEach
  void newPerson() {
    user = "person-" + UUID.randomUUID();
  }

  private static JsonObject line(String id, String text) {
    return new JsonObject()
        .put("platform", "whatsapp")
        .put("chatId", "chat")
        .put("chatName", "Ana")
        .put("messageId", id)
        .put("at", "2026-11-20T10:00:00Z")
        .put("senderId", "ana@w")
        .put("senderName", "Ana")
        .put("text", text);
  }

  private static JsonObject edit(String id, String text, String minute) {
    return line(id, text).put("editedAt", "2026-11-20T10:" + minute + ":00Z");
  }

  private static JsonObject deletion(String id) {
    return new JsonObject()
        .put("platform", "whatsapp")
        .put("chatId", "chat")
        .put("messageId", id)
        .put("at", "2026-11-20T10:00:00Z")
        .put("deleted", true);
  }

  /** Sends the lines as one body and returns new, changed, unchanged, deleted, rejected. */
  private String send(JsonObject... lines) {
    StringBuilder body = new StringBuilder();
    for (JsonObject line : lines) {
      body.append(line.encode()).append('\n');
    }
    return counts(server.ndjson(user, body.toString()));
  }

  private static String counts(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonObject counts = answer.data();
    return "%d %d %d %d %d"
        .formatted(
            counts.getInteger("new"),
            counts.getInteger("changed"),
            counts.getInteger("unchanged"),
            counts.getInteger("deleted"),
            counts.getInteger("rejected"));
  }

  private List<String> messages() {
    return data.rows(
        "SELECT platform_message_id, content, is_deleted FROM messages WHERE user_id = ? ORDER BY 1",
        user);
  }

  private String counters() {
    return data.one("""
        SELECT (SELECT sum(message_count) FROM chats WHERE user_id = s.user_id), s.total_count, s.indexed_count,
               (SELECT count(*) FROM embedding_pending p WHERE p.user_id = s.user_id),
               (SELECT count(*) FROM conversation_message_embeddings e WHERE e.user_id = s.user_id), s.status
          FROM conversation_assistant_index_state s WHERE user_id = ?""", user);
  }

  @Test
  @DisplayName("a message brings its chat and its sender, and waits for a vector")
  void first() {
    WOKEN.clear();
    assertThat(send(line("m1", "hola").put("replyTo", "m0").put("threadRoot", "t0")))
        .isEqualTo("1 0 0 0 0");
    assertThat(data.one("""
        SELECT c.platform, c.platform_chat_id, c.name, c.is_group, c.message_count,
               c.last_message_at = '2026-11-20T10:00:00Z', k.name, k.platform_contact_id
          FROM chats c JOIN contacts k ON k.user_id = c.user_id AND k.id = c.contact_id WHERE c.user_id = ?""", user)).isEqualTo("whatsapp|chat|Ana|f|1|t|Ana|ana@w");
    assertThat(data.one("""
        SELECT m.content, m.contact_name, m.from_me, m.reply_to_platform_message_id, m.thread_root_platform_id,
               m.edited_at, m.content_hash = embedding_hash('whatsapp', 'Ana', false, 'hola'),
               m.contact_id = c.contact_id
          FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id WHERE m.user_id = ?""", user)).isEqualTo("hola|Ana|f|m0|t0|null|t|t");
    assertThat(counters()).isEqualTo("1|1|0|1|0|indexing");
    assertThat(data.rows("SELECT 1 FROM embedding_jobs WHERE user_id = ?", user))
        .hasSize(1);
    assertThat(WOKEN).contains(new UserId(user));
  }

  @Test
  @DisplayName("the same body again changes nothing and queues nothing")
  void again() {
    JsonObject[] body = {
      line("m1", "one"), edit("m2", "two", "05"), deletion("m3"), line("m4", "").put("fromMe", true)
    };
    assertThat(send(body)).isEqualTo("3 0 0 1 0");
    data.index(user);
    String before = counters();
    WOKEN.clear();
    assertThat(send(body)).isEqualTo("0 0 4 0 0");
    assertThat(counters()).isEqualTo(before).isEqualTo("2|2|2|0|2|ready");
    assertThat(WOKEN).isEmpty();
  }

  @Test
  @DisplayName("a newer edit wins, an older one is ignored, whichever comes first")
  void edits() {
    assertThat(send(line("m1", "first"))).isEqualTo("1 0 0 0 0");
    assertThat(send(edit("m1", "third", "20"))).isEqualTo("0 1 0 0 0");
    assertThat(send(edit("m1", "second", "10"))).isEqualTo("0 0 1 0 0");
    assertThat(send(line("m1", "first"))).isEqualTo("0 0 1 0 0");
    assertThat(messages()).containsExactly("m1|third|f");
    assertThat(counters()).isEqualTo("1|1|0|1|0|indexing");
  }

  @Test
  @DisplayName("an edit takes the vector of the old text away and queues the new text")
  void editedVector() {
    send(line("m1", "old"), line("m2", "other"));
    data.index(user);
    assertThat(counters()).isEqualTo("2|2|2|0|2|ready");
    send(edit("m1", "new", "10"));
    assertThat(counters()).isEqualTo("2|2|1|1|1|indexing");
    data.index(user);
    assertThat(send(edit("m1", "new", "30"))).isEqualTo("0 0 1 0 0"); // only its time is new
    assertThat(send(edit("m1", "late", "20"))).isEqualTo("0 0 1 0 0");
    assertThat(messages()).containsExactly("m1|new|f", "m2|other|f");
    assertThat(counters()).isEqualTo("2|2|2|0|2|ready");
  }

  @Test
  @DisplayName("a change that is not in the embedded text queues nothing")
  void replyOnly() {
    send(line("m1", "hola"));
    data.index(user);
    assertThat(send(line("m1", "hola").put("replyTo", "m9"))).isEqualTo("0 1 0 0 0");
    assertThat(counters()).isEqualTo("1|1|1|0|1|ready");
  }

  @Test
  @DisplayName("a deletion hides at once: row, vector, queue and counts")
  void deletions() {
    send(line("m1", "secret"), line("m2", "kept").put("at", "2026-11-20T09:00:00Z"));
    data.index(user);
    send(edit("m1", "secret two", "10"));
    assertThat(send(deletion("m1"))).isEqualTo("0 0 0 1 0");
    assertThat(messages()).containsExactly("m1|secret two|t", "m2|kept|f");
    assertThat(counters()).isEqualTo("1|1|1|0|1|indexing");
    assertThat(data.one(
            "SELECT last_message_at = '2026-11-20T09:00:00Z' FROM chats WHERE user_id = ?", user))
        .isEqualTo("t");
  }

  @Test
  @DisplayName(
      "a deletion stands against what is not newer, even if that comes later or was never seen")
  void deletionStands() {
    send(line("m1", "one"), edit("m1", "two", "10"), deletion("m1"));
    assertThat(send(edit("m1", "three", "20"), line("m1", "one"))).isEqualTo("0 0 2 0 0");
    assertThat(send(deletion("m2"), line("m2", "never shown"))).isEqualTo("0 0 1 1 0");
    assertThat(messages()).containsExactly("m1|two|t", "m2|null|t");
    assertThat(counters()).isEqualTo("0|0|0|0|0|idle");
  }

  @Test
  @DisplayName("a dated deletion yields to a strictly newer edit, and not to an equal one")
  void revived() {
    JsonObject dated = deletion("m1").put("editedAt", "2026-11-20T10:10:00Z");
    send(line("m1", "one"), dated);
    assertThat(send(edit("m1", "equal", "10"))).isEqualTo("0 0 1 0 0");
    assertThat(messages()).containsExactly("m1|one|t");
    assertThat(send(edit("m1", "back", "11"))).isEqualTo("0 1 0 0 0");
    assertThat(messages()).containsExactly("m1|back|f");
    assertThat(send(dated)).isEqualTo("0 0 1 0 0"); // late news of the old deletion
    assertThat(messages()).containsExactly("m1|back|f");
    assertThat(counters()).isEqualTo("1|1|0|1|0|indexing");
  }

  @Test
  @DisplayName("lines about one message in one body count as if they had come one by one")
  void oneBody() {
    assertThat(send(
            line("m1", "a"),
            edit("m1", "b", "10"),
            edit("m1", "c", "05"),
            deletion("m1"),
            line("m2", "x")))
        .isEqualTo("2 1 1 1 0");
    assertThat(messages()).containsExactly("m1|b|t", "m2|x|f");
  }

  @Test
  @DisplayName("a field left out keeps what is known, an empty text takes it away")
  void partial() {
    send(line("m1", "hola").put("isGroup", true).put("replyTo", "m0"));
    assertThat(send(new JsonObject()
            .put("platform", "WhatsApp")
            .put("chatId", "chat")
            .put("messageId", "m1")
            .put("at", "2026-11-20T10:00:00Z")
            .put("editedAt", "2026-11-20T10:01:00Z")))
        .isEqualTo("0 0 1 0 0");
    assertThat(data.one("""
        SELECT m.content, m.contact_name, m.reply_to_platform_message_id, c.name, c.is_group
          FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id WHERE m.user_id = ?""", user)).isEqualTo("hola|Ana|m0|Ana|t");
    assertThat(send(edit("m1", "  ", "02"))).isEqualTo("0 1 0 0 0");
    assertThat(messages()).containsExactly("m1|null|f");
    assertThat(counters()).isEqualTo("0|0|0|0|0|indexing");
  }

  @Test
  @DisplayName(
      "chat and contact names follow what is given; a chat that turns group takes its messages along")
  void names() {
    send(line("m1", "hola"));
    send(line("m2", "hey")
        .put("senderName", "Ana María")
        .put("chatName", "Flat")
        .put("isGroup", true));
    send(line("m3", "yo")
        .put("fromMe", true)
        .put("senderId", "me@w")
        .putNull("senderName")
        .putNull("chatName"));
    assertThat(data.one(
            "SELECT name, is_group, contact_id, message_count FROM chats WHERE user_id = ?", user))
        .isEqualTo("Flat|t|null|3");
    assertThat(data.rows("SELECT platform_contact_id, name FROM contacts WHERE user_id = ?", user))
        .containsExactly("ana@w|Ana María");
    assertThat(data.rows(
            "SELECT is_group, contact_name, contact_id IS NULL FROM messages WHERE user_id = ? ORDER BY platform_message_id",
            user))
        .containsExactly("t|Ana|f", "t|Ana María|f", "t|null|t");
  }

  @Test
  @DisplayName(
      "the same ids on another platform, in another chat or of another person are other messages")
  void keys() {
    send(
        line("m1", "a"),
        line("m1", "b").put("chatId", "chat2"),
        line("m1", "c").put("platform", "telegram"));
    String first = user;
    newPerson();
    assertThat(send(line("m1", "theirs"), deletion("m2"))).isEqualTo("1 0 0 1 0");
    assertThat(messages()).containsExactly("m1|theirs|f", "m2|null|t");
    user = first;
    assertThat(data.rows("SELECT content FROM messages WHERE user_id = ? ORDER BY 1", user))
        .containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("inside the gateway's role a person sees and changes no row of another")
  void isolation() {
    send(line("m1", "mine"));
    String count = "SELECT count(*) FROM messages WHERE user_id = $1";
    assertThat(seen(new UserId(user), count)).isEqualTo(1);
    assertThat(seen(new UserId("stranger"), count)).isZero();
    assertThat(
            data.database.call(count, Tuple.of(user)).await().iterator().next().getLong(0))
        .isZero();
  }

  private long seen(UserId as, String sql) {
    return data.database
        .as(as, client -> client.preparedQuery(sql).execute(Tuple.of(user)))
        .await()
        .iterator()
        .next()
        .getLong(0);
  }

  @Test
  @DisplayName("good lines are kept between bad ones; weird text arrives as it can be stored")
  void mixed() {
    Answer answer = server.json(
        user,
        new JsonArray()
            .add(line("m1", "a\u0000b 🎂 שלום HALF"))
            .add(line("m2", "x").put("at", "2026-11-20"))
            .add(line("m3", "'; DROP TABLE messages; --"))
            .add(line("", "x"))
            .encode()
            .replace("HALF", "\\ud800"));
    assertThat(counts(answer)).isEqualTo("2 0 0 0 2");
    assertThat(answer.data().getJsonArray("rejections"))
        .containsExactly(
            new JsonObject().put("line", 2).put("code", "invalid_value").put("field", "at"),
            new JsonObject().put("line", 4).put("code", "invalid_value").put("field", "messageId"));
    assertThat(messages())
        .containsExactly("m1|ab 🎂 שלום \uFFFD|f", "m3|'; DROP TABLE messages; --|f");
  }

  @Test
  @DisplayName("the sample conversations go in whole, and again without a change")
  void samples() {
    String samples =
        SampleConversations.ndjson(Instant.parse("2026-11-30T12:00:00Z"), ZoneId.of("UTC"));
    long lines = samples.lines().count();
    long messages = samples
        .lines()
        .map(line -> new JsonObject(line).getString("messageId"))
        .distinct()
        .count();
    assertThat(counts(server.ndjson(user, samples))).isEqualTo(messages + " 1 0 1 0");
    assertThat(counts(server.ndjson(user, samples))).isEqualTo("0 0 " + lines + " 0 0");
    assertThat(data.rows(
                "SELECT content FROM messages WHERE user_id = ? AND platform_message_id = 'ana-13'",
                user)
            .get(0))
        .contains("21:15");
    assertThat(data.rows(
            "SELECT 1 FROM messages WHERE user_id = ? AND NOT is_deleted AND content LIKE '%7719%'",
            user))
        .isEmpty();
    assertThat(data.one("SELECT count(*) FROM chats WHERE user_id = ?", user)).isEqualTo("12");
  }

  @Test
  @DisplayName("two uploads of the same messages in opposite order both finish, and agree")
  void concurrent() {
    int lines = 3_000;
    var there = CompletableFuture.supplyAsync(() -> server.streamed(
        user, "application/x-ndjson", () -> new Generated(lines, i -> Generated.line(i) + "\n")));
    var back = CompletableFuture.supplyAsync(() -> server.streamed(
        user,
        "application/x-ndjson",
        () -> new Generated(lines, i -> Generated.line(lines - 1 - i) + "\n")));
    JsonObject a = there.join().data();
    JsonObject b = back.join().data();
    assertThat(a.getInteger("new") + b.getInteger("new")).isEqualTo(lines);
    assertThat(a.getInteger("unchanged") + b.getInteger("unchanged")).isEqualTo(lines);
    assertThat(counters()).isEqualTo("3000|3000|0|3000|0|indexing");
  }

  @Test
  @DisplayName("100,000 lines go in, each once")
  void many() {
    Answer answer = server.streamed(
        user, "application/x-ndjson", () -> new Generated(100_000, i -> Generated.line(i) + "\n"));
    assertThat(counts(answer)).isEqualTo("100000 0 0 0 0");
    assertThat(counters()).isEqualTo("100000|100000|0|100000|0|indexing");
  }
}
