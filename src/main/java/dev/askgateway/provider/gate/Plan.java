package dev.askgateway.provider.gate;

import dev.askgateway.core.Rule;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelProvider;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * How one request may be answered.
 *
 * @param name the profile, or the model's id when that was asked for
 * @param candidates in the order they are tried
 * @param commit what makes a model final
 * @param deadlines of all attempts together
 * @param attempts most calls of models, all candidates and repeats together, at least 1
 * @param hedgeAfter wait for the first output after which a second model is asked as well; zero: never
 * @param mayHedge asked when that time has come: whether the share of hedged requests allows one more
 */
public record Plan(
    String name,
    List<Candidate> candidates,
    Commit commit,
    Deadlines deadlines,
    int attempts,
    Duration hedgeAfter,
    Hedging mayHedge) {

  /** What of a model's output is shown first, so that no other model may follow. */
  public enum Commit {
    /** Its first text: reasoning and tool calls are not shown. */
    TEXT,
    /** Its first text, reasoning or tool call. */
    ANY_OUTPUT
  }

  /** Keeps hedged requests to their share of all requests. Shared by all event loops. */
  @FunctionalInterface
  public interface Hedging extends BooleanSupplier {

    /** A request begins that may be hedged. */
    default void requested() {}
  }

  public Plan {
    candidates = List.copyOf(candidates);
    Rule.range("attempts", attempts, 1, Integer.MAX_VALUE);
  }

  /** These models in this order, each once, without hedging. */
  public static Plan of(Deadlines deadlines, List<? extends ModelProvider> providers) {
    return new Plan(
        "test",
        providers.stream().map(Candidate::of).toList(),
        Commit.TEXT,
        deadlines,
        Math.max(1, providers.size()),
        Duration.ZERO,
        () -> false);
  }

  /** Most models that may be at work, and paid, at the same time. */
  public int parallel() {
    return hedgeAfter.isZero() || attempts < 2 || candidates.size() < 2 ? 1 : 2;
  }
}
