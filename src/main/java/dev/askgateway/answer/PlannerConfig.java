package dev.askgateway.answer;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * Whether and how a model may be asked for the plan of a question that tables cannot represent (spec E13,
 * profile {@code query_planner}). If one of these exists, it is valid.
 *
 * @param enabled whether it may; off, the plan of the tables always goes on
 * @param inputTokens most tokens that it is told, as a tokenizer counts them and the model's margin raises
 *     them; a longer question is not asked about
 * @param outputTokens most tokens of its answer
 * @param timeout longest time of its one call, to the last byte
 */
public record PlannerConfig(boolean enabled, int inputTokens, int outputTokens, Duration timeout) {
  /** The profile whose models are asked. */
  public static final String PROFILE = "query_planner";

  public static final PlannerConfig OFF =
      new PlannerConfig(false, 3000, 400, Duration.ofSeconds(4));

  public PlannerConfig {
    Rule.range("retrieval.planner.inputTokens", inputTokens, 1000, 100_000);
    Rule.range("retrieval.planner.outputTokens", outputTokens, 100, 10_000);
    Rule.range(
        "retrieval.planner.timeout", timeout, Duration.ofMillis(100), Duration.ofSeconds(30));
  }
}
