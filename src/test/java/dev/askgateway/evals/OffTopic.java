package dev.askgateway.evals;

import dev.askgateway.retrieval.Retrieved;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether the floor tells questions that have an answer here from those that have none. */
final class OffTopic {
  static final String ANSWERABLE = "answerable";
  static final String OFF_TOPIC = "off-topic";
  static final String ADVERSARIAL = "adversarial";

  private final Map<String, List<Double>> scores = new TreeMap<>();
  private final Map<String, Integer> refused = new TreeMap<>();

  void add(String kind, Retrieved found) {
    scores.computeIfAbsent(kind, key -> new ArrayList<>()).add(found.evidence());
    refused.merge(kind, found.pack().isEmpty() ? 1 : 0, Integer::sum);
  }

  /** How well the score that the floor stands on tells answerable questions from those of a kind. */
  double auroc(String kind) {
    return Rank.auroc(scores.get(ANSWERABLE), scores.get(kind));
  }

  /** Share of the questions of a kind that are left without evidence. */
  double refused(String kind) {
    return (double) refused.get(kind) / scores.get(kind).size();
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    scores.forEach((kind, values) -> {
      JsonObject one = new JsonObject().put("n", values.size()).put("refused", refused(kind));
      if (!kind.equals(ANSWERABLE) && scores.containsKey(ANSWERABLE)) {
        one.put("auroc", auroc(kind));
      }
      json.put(kind, one);
    });
    return json;
  }

  String table() {
    StringBuilder table = new StringBuilder();
    toJson().forEach(entry -> {
      JsonObject one = (JsonObject) entry.getValue();
      table.append("%-12s n %5d  refused %.3f"
          .formatted(entry.getKey(), one.getInteger("n"), one.getDouble("refused")));
      if (one.containsKey("auroc")) {
        table.append("  AUROC against answerable %.3f".formatted(one.getDouble("auroc")));
      }
      table.append('\n');
    });
    return table.toString();
  }
}
