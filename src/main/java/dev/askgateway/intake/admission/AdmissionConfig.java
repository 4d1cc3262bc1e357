package dev.askgateway.intake.admission;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * When requests are turned away.
 *
 * @param enabled whether they are before the node is late; {@code maxOpen} counts in any case
 * @param maxOpen most answers and completions open at a time; 0: as many as the heap has room for
 * @param maxBeginning most of them on one event loop whose model was not asked yet; they are fewer as soon
 *     as the node is late
 * @param statusTarget the wait for a request's beginning that may stand
 * @param startTarget the wait until the model is asked that may stand, retrieval included
 * @param lagTarget the lateness of an event loop that may stand
 * @param retryAfter what those turned away are told to wait, at the middle: it is drawn between half and
 *     one and a half of it, so that they do not come back together
 */
public record AdmissionConfig(
    boolean enabled,
    int maxOpen,
    int maxBeginning,
    Duration statusTarget,
    Duration startTarget,
    Duration lagTarget,
    Duration retryAfter) {
  /** A stream with its two connections is 28 KB, and has some room for what it carries. */
  private static final long BYTES_OF_A_COMPLETION = 40 << 10;

  /** An answer keeps its evidence, its prompt and all its events. */
  private static final long BYTES_OF_AN_ANSWER = 128 << 10;

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofMinutes(1);

  public AdmissionConfig {
    Rule.range("admission.maxOpen", maxOpen, 0, 1_000_000);
    Rule.range("admission.maxBeginning", maxBeginning, AdaptiveLimit.LEAST, 100_000);
    Rule.range("admission.statusTarget", statusTarget, LEAST, MOST);
    Rule.range("admission.startTarget", startTarget, LEAST, MOST);
    Rule.range("admission.lagTarget", lagTarget, LEAST, MOST);
    Rule.range("admission.retryAfter", retryAfter, Duration.ofSeconds(1), Duration.ofHours(1));
  }

  /**
   * The configured number, or what fits into the heap.
   *
   * @param answers whether questions are answered, and not completions alone
   */
  int mostOpen(long heapBytes, boolean answers) {
    return maxOpen > 0
        ? maxOpen
        : (int) Math.min(
            1_000_000,
            Math.max(16, heapBytes / (answers ? BYTES_OF_AN_ANSWER : BYTES_OF_A_COMPLETION)));
  }
}
