package dev.askgateway.evals;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.retrieval.Retrieved;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The golden questions, asked of the product. What must never happen (a message out of scope, deleted,
 * or of another account) fails at once; how much is found has a gate for each category.
 */
final class GoldenRun {
  /** Least share of a category's questions that must be answered right. */
  private static final double GATE = 0.8;

  /** What holds today where it is less: an answer without one word of its question is often refused. */
  private static final Map<String, Double> LOWER_GATES = Map.of("paraphrase", 0.5);

  private final Lab lab;
  private final Map<String, int[]> right = new TreeMap<>();
  private final List<String> misses = new ArrayList<>();
  private final List<String> leaks = new ArrayList<>();

  GoldenRun(Lab lab) {
    this.lab = lab;
  }

  void run() throws Exception {
    for (Golden golden : Golden.readAll()) {
      UserId user = new UserId("golden-" + golden.account());
      lab.ingest(user, golden.messages());
      lab.ingest(user, golden.changes());
      Map<UUID, String> messages = lab.ids(user, false);
      Map<String, UUID> chats = lab.ids(user, true).entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
      for (Golden.Question question : golden.questions()) {
        Retrieved found =
            lab.ask(user, question.text(), golden.now(), golden.zone(), scope(question, chats));
        judge(question, found, messages, chats);
      }
    }
  }

  private static Scope scope(Golden.Question question, Map<String, UUID> chats) {
    if (question.strict() != null) {
      return Scope.strict(chats.get(question.strict()));
    }
    return question.preferred().isEmpty()
        ? Scope.GLOBAL
        : Scope.preferred(question.preferred().stream().map(chats::get).toList());
  }

  private void judge(
      Golden.Question question,
      Retrieved found,
      Map<UUID, String> messages,
      Map<String, UUID> chats) {
    List<EvidenceWindow> windows = found.pack().windows();
    Set<String> shown = windows.stream()
        .flatMap(window -> window.messages().stream())
        .map(EvidenceMessage::id)
        .map(id -> messages.getOrDefault(id, "another account's"))
        .collect(Collectors.toSet());
    boolean outOfScope = question.strict() != null
        && windows.stream()
            .anyMatch(window -> !window.chatId().equals(chats.get(question.strict())));
    if (outOfScope
        || shown.contains("another account's")
        || question.never().stream().anyMatch(shown::contains)) {
      leaks.add(question.id() + " " + question.text());
    }
    boolean ordered = question.first() == null
        || (!windows.isEmpty() && windows.get(0).chatId().equals(chats.get(question.first())));
    boolean fits = question.nothing()
        ? windows.isEmpty()
        : ordered && shown.containsAll(question.find()) && onlyOne(question, shown);
    right.computeIfAbsent(question.category(), key -> new int[2])[0] += fits ? 1 : 0;
    right.get(question.category())[1]++;
    if (!fits) {
      misses.add("%s %s (evidence %.3f): %s"
          .formatted(question.id(), question.category(), found.evidence(), question.text()));
    }
  }

  private static boolean onlyOne(Golden.Question question, Set<String> shown) {
    return question.oneOf().isEmpty()
        || question.oneOf().stream().filter(shown::contains).count() == 1;
  }

  /** The gates that do not hold, in words; empty when all do. */
  List<String> failures() {
    List<String> failures = new ArrayList<>();
    leaks.forEach(leak -> failures.add("shows what must never be seen: " + leak));
    right.forEach((category, count) -> {
      double gate = LOWER_GATES.getOrDefault(category, GATE);
      if (count[0] < gate * count[1]) {
        failures.add("%s: %d of %d right, under the gate of %.2f"
            .formatted(category, count[0], count[1], gate));
      }
    });
    return failures;
  }

  int questions() {
    return right.values().stream().mapToInt(count -> count[1]).sum();
  }

  List<String> misses() {
    return List.copyOf(misses);
  }

  String table() {
    StringBuilder table = new StringBuilder("== golden\n");
    right.forEach((category, count) ->
        table.append("%-22s %3d of %3d\n".formatted(category, count[0], count[1])));
    misses.forEach(miss -> table.append("missed ").append(miss).append('\n'));
    failures().forEach(failure -> table.append("GATE ").append(failure).append('\n'));
    return table.toString();
  }

  JsonObject toJson() {
    JsonObject categories = new JsonObject();
    right.forEach((category, count) -> categories.put(
        category, new JsonObject().put("right", count[0]).put("questions", count[1])));
    return new JsonObject()
        .put("categories", categories)
        .put("misses", new JsonArray(misses))
        .put("failures", new JsonArray(failures()));
  }
}
