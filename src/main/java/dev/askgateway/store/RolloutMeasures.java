package dev.askgateway.store;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/**
 * How the answers of one arm of a rollout went.
 *
 * @param answers that began and have ended, or should have
 * @param failed those that did not complete and were not stopped by the person
 * @param lost those of them that never came to an end of their own
 * @param completed those whose end tells what it rests on
 * @param unsourced those of them without a source
 * @param dropped those of them with a mark that named none and was left out
 * @param leaked answers that found what lies outside of their strict scope
 * @param cost of those that completed, micro-USD
 * @param firstText from the request, milliseconds; to the end where there was no text
 * @param completion from the request, milliseconds, of those that completed
 */
public record RolloutMeasures(
    long answers,
    long failed,
    long lost,
    long completed,
    long unsourced,
    long dropped,
    long leaked,
    Mean cost,
    Times firstText,
    Times completion) {

  /** A mean with the variance of the sample. */
  public record Mean(long count, double mean, double variance) {
    JsonObject toJson() {
      return new JsonObject().put("count", count).put("mean", mean).put("variance", variance);
    }
  }

  /**
   * Times of an arm.
   *
   * @param slow of the control those over its own p95; of the others those over it by more than is allowed
   */
  public record Times(long count, long slow, double p95Millis) {
    JsonObject toJson() {
      return new JsonObject().put("count", count).put("slow", slow).put("p95Millis", p95Millis);
    }
  }

  /** Of an arm without an answer. */
  public static final RolloutMeasures NOTHING = new RolloutMeasures(
      0, 0, 0, 0, 0, 0, 0, new Mean(0, 0, 0), new Times(0, 0, 0), new Times(0, 0, 0));

  static RolloutMeasures of(Row row) {
    return new RolloutMeasures(
        row.getLong("answers"),
        row.getLong("failed"),
        row.getLong("lost"),
        row.getLong("completed"),
        row.getLong("unsourced"),
        row.getLong("dropped"),
        row.getLong("leaked"),
        new Mean(row.getLong("priced"), row.getDouble("cost_mean"), row.getDouble("cost_variance")),
        new Times(
            row.getLong("first_timed"), row.getLong("first_slow"), row.getDouble("first_p95")),
        new Times(
            row.getLong("whole_timed"), row.getLong("whole_slow"), row.getDouble("whole_p95")));
  }

  /** Counts and times, of no person. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("answers", answers)
        .put("failed", failed)
        .put("lost", lost)
        .put("completed", completed)
        .put("unsourced", unsourced)
        .put("marksDropped", dropped)
        .put("leaked", leaked)
        .put("costMicroUsd", cost.toJson())
        .put("firstText", firstText.toJson())
        .put("completion", completion.toJson());
  }
}
