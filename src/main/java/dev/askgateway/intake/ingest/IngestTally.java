package dev.askgateway.intake.ingest;

import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.store.IngestRepository.Written;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.Map;

/** Counts what became of the lines of one request; of the rejected ones it lists the first few. */
final class IngestTally {
  private final Map<Outcome, Long> written = new EnumMap<>(Outcome.class);
  private final JsonArray rejections = new JsonArray();
  private final int maxListed;
  private long rejected;

  IngestTally(int maxListed) {
    this.maxListed = maxListed;
  }

  void add(Written batch) {
    batch.outcomes().forEach(outcome -> written.merge(outcome, 1L, Long::sum));
  }

  void add(Rejection rejection) {
    rejected++;
    if (rejections.size() < maxListed) {
      rejections.add(rejection.toJson());
    }
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("new", count(Outcome.NEW))
        .put("changed", count(Outcome.CHANGED))
        .put("unchanged", count(Outcome.UNCHANGED))
        .put("deleted", count(Outcome.DELETED))
        .put("rejected", rejected)
        .put("rejections", rejections);
  }

  private long count(Outcome outcome) {
    return written.getOrDefault(outcome, 0L);
  }
}
