package dev.askgateway.intake.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.store.IngestRepository.Message;
import dev.askgateway.store.IngestRepository.Outcome;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Random histories against the rule in one sentence: the newest version shows, unless a deletion is not older. */
class IngestRulesIT {
  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
  private static Vertx vertx;
  private static IngestData data;

  @BeforeAll
  static void open() throws Exception {
    vertx = Vertx.vertx();
    data = new IngestData(vertx);
  }

  @AfterAll
  static void close() throws Exception {
    data.close();
    vertx.close().await();
  }

  @Test
  @DisplayName("any order, any batches, any repeats: the same conversations and exact counters")
  void anyOrder() {
    Random random = new Random(20261130);
    for (int round = 0; round < 25; round++) {
      List<Message> history = history(random);
      for (int order = 0; order < 3; order++) {
        UserId user = new UserId("round-" + round + "-" + order);
        List<Message> sent = new ArrayList<>(history);
        history.stream().filter(line -> random.nextInt(4) == 0).forEach(sent::add);
        Collections.shuffle(sent, random);
        List<Outcome> outcomes = send(user, sent, random);
        assertThat(outcomes).hasSameSizeAs(sent);
        assertThat(visible(user)).as("round %s", round).isEqualTo(expected(history));
        assertThat(counters(user)).isEqualTo(recount(user));
        assertOnlyLiveTextIsIndexed(user);
      }
    }
  }

  /** Originals, edits, dated deletions and, rarely, undated ones; no two versions of a message are of one time. */
  private static List<Message> history(Random random) {
    List<Message> lines = new ArrayList<>();
    for (int m = 0; m < 12; m++) {
      String chat = "c" + m % 3;
      for (int version = 0; version <= random.nextInt(5); version++) {
        boolean deletion = random.nextInt(4) == 0;
        Instant edited = version == 0 || (deletion && random.nextInt(3) == 0)
            ? null
            : START.plusSeconds(60L * version);
        String text = deletion || random.nextInt(8) == 0 ? "" : "m" + m + "v" + version;
        lines.add(new Message(
            "sms",
            chat,
            null,
            null,
            "m" + m,
            START,
            "s" + m % 2,
            "S",
            false,
            text,
            null,
            null,
            edited,
            deletion));
      }
    }
    return lines;
  }

  private static List<Outcome> send(UserId user, List<Message> lines, Random random) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int from = 0; from < lines.size(); ) {
      int to = Math.min(lines.size(), from + 1 + random.nextInt(15));
      outcomes.addAll(
          data.repository.write(user, lines.subList(from, to)).await().outcomes());
      from = to;
      if (random.nextInt(3) == 0) {
        data.index(user.value());
      }
    }
    return outcomes;
  }

  private static Map<String, String> expected(List<Message> history) {
    Map<String, String> visible = new TreeMap<>();
    for (Message any : history) {
      List<Message> same = history.stream()
          .filter(line -> line.messageId().equals(any.messageId()))
          .toList();
      Instant gone = same.stream()
          .filter(Message::deleted)
          .map(line -> line.editedAt() == null ? Instant.MAX : line.editedAt())
          .max(Comparator.naturalOrder())
          .orElse(Instant.MIN);
      same.stream()
          .filter(line -> !line.deleted())
          .max(Comparator.comparing(IngestRulesIT::version))
          .filter(newest -> version(newest).isAfter(gone))
          .ifPresent(
              newest -> visible.put(newest.chatId() + " " + newest.messageId(), newest.text()));
    }
    return visible;
  }

  private static Instant version(Message line) {
    return line.editedAt() == null ? line.at() : line.editedAt();
  }

  private static Map<String, String> visible(UserId user) {
    Map<String, String> visible = new TreeMap<>();
    data.rows("""
        SELECT c.platform_chat_id || ' ' || m.platform_message_id || '=' || coalesce(m.content, '')
          FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
         WHERE m.user_id = ? AND NOT m.is_deleted""", user.value())
        .forEach(row -> visible.put(row.split("=", 2)[0], row.split("=", 2)[1]));
    return visible;
  }

  private static List<String> counters(UserId user) {
    List<String> counters = new ArrayList<>(data.rows(
        "SELECT platform_chat_id, message_count, last_message_at FROM chats WHERE user_id = ? ORDER BY 1",
        user.value()));
    counters.add(data.one(
        "SELECT total_count FROM conversation_assistant_index_state WHERE user_id = ?",
        user.value()));
    return counters;
  }

  private static List<String> recount(UserId user) {
    List<String> counters = new ArrayList<>(data.rows("""
        SELECT c.platform_chat_id, count(m.id) FILTER (WHERE m.content <> ''), max(m."timestamp")
          FROM chats c LEFT JOIN messages m ON m.user_id = c.user_id AND m.chat_id = c.id AND NOT m.is_deleted
         WHERE c.user_id = ? GROUP BY 1 ORDER BY 1""", user.value()));
    counters.add(data.one(
        "SELECT count(*) FROM messages WHERE user_id = ? AND NOT is_deleted AND content <> ''",
        user.value()));
    return counters;
  }

  /** Every live text has its own vector or waits for one; nothing else has either. */
  private static void assertOnlyLiveTextIsIndexed(UserId user) {
    assertThat(data.rows("""
        SELECT m.platform_message_id
          FROM messages m
          LEFT JOIN embedding_pending p ON p.user_id = m.user_id AND p.message_id = m.id
          LEFT JOIN conversation_message_embeddings e ON e.user_id = m.user_id AND e.message_id = m.id
         WHERE m.user_id = ?
           AND CASE WHEN m.is_deleted OR m.content IS NULL THEN p.message_id IS NOT NULL OR e.message_id IS NOT NULL
                    ELSE p.message_id IS NULL AND e.content_hash IS DISTINCT FROM m.content_hash END""", user.value())).isEmpty();
    assertThat(data.one("""
        SELECT s.indexed_count - (SELECT count(*) FROM conversation_message_embeddings e WHERE e.user_id = s.user_id)
          FROM conversation_assistant_index_state s WHERE user_id = ?""", user.value())).isEqualTo("0");
  }
}
