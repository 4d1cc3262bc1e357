package dev.askgateway.evals;

import dev.askgateway.store.IngestRepository.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One golden account: messages of our own invention and what is asked of them. The format is told in
 * {@code evals/README.md}.
 *
 * @param messages as they first came in
 * @param changes edits and deletions that came later
 */
record Golden(
    String account,
    ZoneId zone,
    Instant now,
    List<Message> messages,
    List<Message> changes,
    List<Question> questions) {
  static final Path FOLDER = Path.of("evals", "golden");

  /**
   * A question.
   *
   * @param find messages of which all must be in the windows; empty when nothing may be found
   * @param oneOf copies of a message, of which exactly one must be in the windows; empty when there are none
   * @param never messages that must not be in any window
   * @param strict the one chat that may be drawn on, or null
   * @param preferred chats that come first
   * @param first the chat of the first window, or null for any
   */
  record Question(
      String id,
      String category,
      String text,
      Set<String> find,
      Set<String> oneOf,
      Set<String> never,
      @Nullable String strict,
      List<String> preferred,
      @Nullable String first,
      boolean nothing) {}

  static List<Golden> readAll() throws IOException {
    List<Golden> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file :
          files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        all.add(read(new JsonObject(Files.readString(file))));
      }
    }
    return all;
  }

  private static Golden read(JsonObject json) {
    String account = json.getString("account");
    List<Message> messages = new ArrayList<>();
    List<Message> changes = new ArrayList<>();
    for (Object one : json.getJsonArray("chats")) {
      JsonObject chat = (JsonObject) one;
      for (Object line : chat.getJsonArray("messages")) {
        messages.add(message(chat, (JsonArray) line));
      }
      for (Object line : chat.getJsonArray("changes", new JsonArray())) {
        changes.add(change(chat, (JsonArray) line, messages));
      }
    }
    List<Question> questions = new ArrayList<>();
    for (Object one : json.getJsonArray("questions")) {
      questions.add(question(account + "/" + (questions.size() + 1), (JsonObject) one));
    }
    return new Golden(
        account,
        ZoneId.of(json.getString("zone")),
        Instant.parse(json.getString("now")),
        messages,
        changes,
        questions);
  }

  /** {@code [id, time, sender, text]}; the person's own sender is "You". */
  private static Message message(JsonObject chat, JsonArray line) {
    boolean own = line.getString(2).equals("You");
    String replyTo = line.size() > 4 ? line.getString(4) : null;
    return new Message(
        chat.getString("platform"),
        chat.getString("id"),
        chat.getString("name"),
        chat.getBoolean("group", false),
        line.getString(0),
        Instant.parse(line.getString(1)),
        own ? null : line.getString(2),
        own ? null : line.getString(2),
        own,
        line.getString(3),
        replyTo,
        null,
        null,
        false);
  }

  /** {@code [id, time, text]}: an edit, or a deletion where the text is null. */
  private static Message change(JsonObject chat, JsonArray line, Collection<Message> messages) {
    Message before = messages.stream()
        .filter(message -> message.messageId().equals(line.getString(0))
            && message.chatId().equals(chat.getString("id")))
        .findFirst()
        .orElseThrow();
    String text = line.getString(2);
    return new Message(
        before.platform(),
        before.chatId(),
        before.chatName(),
        before.isGroup(),
        before.messageId(),
        before.at(),
        before.senderId(),
        before.senderName(),
        before.fromMe(),
        text == null ? before.text() : text,
        before.replyTo(),
        null,
        Instant.parse(line.getString(1)),
        text == null);
  }

  private static Question question(String id, JsonObject json) {
    return new Question(
        id,
        json.getString("category"),
        json.getString("ask"),
        strings(json, "find"),
        strings(json, "oneOf"),
        strings(json, "never"),
        json.getString("strict"),
        List.copyOf(strings(json, "preferred")),
        json.getString("first"),
        json.getBoolean("nothing", false));
  }

  private static Set<String> strings(JsonObject json, String field) {
    Set<String> strings = new LinkedHashSet<>();
    json.getJsonArray(field, new JsonArray()).forEach(one -> strings.add((String) one));
    return strings;
  }
}
