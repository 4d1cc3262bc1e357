package dev.askgateway.indexing;

import dev.askgateway.core.Rule;
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
    Duration most = Duration.ofDays(1);
    Rule.range("indexing.concurrency", concurrency, 1, 64);
    Rule.range("indexing.batchSize", batchSize, 1, 512);
    Rule.range("indexing.batchesPerClaim", batchesPerClaim, 1, 1000);
    Rule.range("indexing.pollInterval", pollInterval, Duration.ofMillis(10), most);
    Rule.range("indexing.lease", lease, Duration.ofSeconds(1), most);
    Rule.range("indexing.retryBase", retryBase, Duration.ofMillis(1), most);
    Rule.range("indexing.retryCeiling", retryCeiling, Duration.ofMillis(1), most);
    Rule.require(
        retryCeiling.compareTo(retryBase) >= 0,
        "indexing.retryCeiling",
        Rule.text(retryCeiling),
        "at least indexing.retryBase, " + Rule.text(retryBase));
    Rule.range("indexing.textAttempts", textAttempts, 1, 100);
    Rule.range("indexing.visibleAfter", visibleAfter, 1, 100);
  }
}
