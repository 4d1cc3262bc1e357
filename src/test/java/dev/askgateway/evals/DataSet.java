package dev.askgateway.evals;

import dev.askgateway.evals.Conversation.Question;
import dev.askgateway.evals.Conversation.Turn;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * An open data set as JSON lines: {@code turns.jsonl} and {@code questions.jsonl} in one folder. The gold
 * of a question is turns (LoCoMo), spans of turns (QMSum) or sessions (RealMem).
 */
record DataSet(String name, List<Conversation> conversations) {
  private static final Instant UNDATED = Instant.parse("2024-01-01T09:00:00Z");
  private static final int SECONDS_APART = 20;

  /** What is read of one conversation before its questions are known. */
  private static final class Draft {
    final List<Turn> turns = new ArrayList<>();
    final Map<String, Integer> positions = new HashMap<>();
    final Map<String, Integer> sessions = new HashMap<>();
    final List<Question> questions = new ArrayList<>();

    void turn(JsonObject json) {
      String id = json.getString("id");
      int session = json.getInteger("s");
      String image = json.getString("image");
      String text =
          json.getString("text") + (image == null ? "" : " [shared picture: " + image + "]");
      positions.put(id, turns.size());
      sessions.put(id.split(":", 2)[0], session);
      turns.add(new Turn(id, session, next(json.getString("at")), json.getString("who"), text));
    }

    /** Times only say the session's begin: turns follow each other, never at the same moment. */
    private Instant next(String at) {
      Instant told = at == null
          ? UNDATED
          : at.contains("T")
              ? LocalDateTime.parse(at).toInstant(ZoneOffset.UTC)
              : LocalDate.parse(at).atTime(9, 0).toInstant(ZoneOffset.UTC);
      Instant after = turns.isEmpty()
          ? Instant.MIN
          : turns.get(turns.size() - 1).at().plusSeconds(SECONDS_APART);
      return told.isAfter(after) ? told : after;
    }

    void question(JsonObject json) {
      List<Integer> gold = new ArrayList<>();
      strings(json, "evidence").forEach(id -> gold.add(positions.get(id)));
      for (Object span : json.getJsonArray("spans", new JsonArray())) {
        JsonArray bounds = (JsonArray) span;
        IntStream.rangeClosed(bounds.getInteger(0), bounds.getInteger(1)).forEach(gold::add);
      }
      questions.add(new Question(
          json.getString("cat"),
          json.getString("question"),
          json.getBoolean("answerable"),
          gold.stream().distinct().toList(),
          strings(json, "sessions").stream().map(sessions::get).distinct().toList(),
          json.getInteger("before", Integer.MAX_VALUE)));
    }

    private static List<String> strings(JsonObject json, String field) {
      return json.getJsonArray(field, new JsonArray()).stream()
          .map(String.class::cast)
          .toList();
    }
  }

  static DataSet read(Path folder) throws IOException {
    Map<String, Draft> drafts = new LinkedHashMap<>();
    for (JsonObject json : lines(folder.resolve("turns.jsonl"))) {
      drafts.computeIfAbsent(json.getString("c"), id -> new Draft()).turn(json);
    }
    for (JsonObject json : lines(folder.resolve("questions.jsonl"))) {
      drafts.computeIfAbsent(json.getString("c"), id -> new Draft()).question(json);
    }
    List<Conversation> conversations = new ArrayList<>();
    drafts.forEach(
        (id, draft) -> conversations.add(new Conversation(id, draft.turns, draft.questions)));
    return new DataSet(folder.getFileName().toString(), conversations);
  }

  private static List<JsonObject> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(JsonObject::new).toList();
  }

  /** Only so many of its conversations: for a quick look. */
  DataSet first(int most) {
    return new DataSet(name, conversations.subList(0, Math.min(most, conversations.size())));
  }

  /**
   * Questions that nothing here answers: those of the next conversation, asked of this one's speakers.
   * Only where two persons talk, so that names can be exchanged.
   */
  List<String> offTopic(int index) {
    Conversation here = conversations.get(index);
    Conversation next = conversations.get((index + 1) % conversations.size());
    List<String> from = next.speakers();
    List<String> to = here.speakers();
    if (here == next || from.size() != 2 || to.size() != 2) {
      return List.of();
    }
    return next.questions().stream()
        .filter(Question::answerable)
        .filter(question -> question.sessions().isEmpty())
        .map(question -> exchanged(question.text(), from, to))
        .toList();
  }

  private static String exchanged(String text, List<String> from, List<String> to) {
    String exchanged = text;
    for (int i = 0; i < from.size(); i++) {
      exchanged = exchanged.replaceAll("\\b" + Pattern.quote(from.get(i)) + "\\b", "@" + i + "@");
    }
    for (int i = 0; i < from.size(); i++) {
      exchanged = exchanged.replace("@" + i + "@", to.get(i));
    }
    return exchanged;
  }
}
