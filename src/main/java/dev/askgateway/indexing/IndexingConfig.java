package dev.askgateway.indexing;

import java.time.Duration;

/**
 * How a node works on the index queue.
 *
 * @param concurrency persons at a time, 1 to 64
 * @param batchSize texts of one embedding call and one write, 1 to 512; the embedder must take as many
 * @param batchesPerClaim batches for one person before the others have their turn, 1 to 1000
 * @param pollInterval how often to look for work that no {@code wake} told of
 * @param lease how long a person stays with a node that has died, at least 1 s
 * @param retryBase the first wait after a failure; it doubles each time
 * @param retryCeiling the longest wait, not under {@code retryBase}
 * @param textAttempts how often a text is tried before it is given up, 1 to 100
 * @param visibleAfter failures in a row after which a person's index shows as failed, 1 to 100; it is
 *     still tried
 */
public record IndexingConfig(
    int concurrency,
    int batchSize,
    int batchesPerClaim,
    Duration pollInterval,
    Duration lease,
    Duration retryBase,
    Duration retryCeiling,
    int textAttempts,
    int visibleAfter) {

  public static final IndexingConfig DEFAULT = new IndexingConfig(
      2,
      64,
      8,
      Duration.ofSeconds(2),
      Duration.ofSeconds(30),
      Duration.ofSeconds(1),
      Duration.ofMinutes(5),
      3,
      5);

  public IndexingConfig {
    range("concurrency", concurrency, 64);
    range("batchSize", batchSize, 512);
    range("batchesPerClaim", batchesPerClaim, 1000);
    atLeast("pollInterval", pollInterval, Duration.ofMillis(10));
    atLeast("lease", lease, Duration.ofSeconds(1));
    atLeast("retryBase", retryBase, Duration.ofMillis(1));
    atLeast("retryCeiling", retryCeiling, retryBase);
    range("textAttempts", textAttempts, 100);
    range("visibleAfter", visibleAfter, 100);
  }

  private static void range(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "indexing." + key + " is " + value + "; it must be 1 to " + most);
    }
  }

  private static void atLeast(String key, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "indexing." + key + " is " + value + "; it must be at least " + least);
    }
  }
}
