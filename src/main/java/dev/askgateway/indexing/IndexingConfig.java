package dev.askgateway.indexing;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How a node works on the index queue.
 *
 * <p>All but the last hold for each version of the index by itself.
 *
 * @param concurrency embedding calls at a time, 1 to 64; what they bring is written before the next
 * @param persons persons at a time, whose texts may share a call, 1 to 512
 * @param batchSize most texts of one embedding call, 1 to 512; fewer where the provider takes fewer
 * @param batchTokens most tokens of one embedding call, 512 to 10,000,000; fewer where the provider
 *     takes fewer. A text counts with its length in UTF-8, which no tokenizer exceeds
 * @param batchesPerClaim batches for one person before the others have their turn, 1 to 1000
 * @param pollInterval how often to look for work that no {@code wake} told of
 * @param lease how long a person stays with a node that has died, at least 1 s
 * @param retryBase the first wait after a failure; it doubles each time
 * @param retryCeiling the longest wait, not under {@code retryBase}
 * @param textAttempts how often a text is tried before it is given up, 1 to 100
 * @param visibleAfter failures in a row after which a person's index shows as failed, 1 to 100; it is
 *     still tried
 * @param versionInterval how often to look which version of the index is in service, 50 ms to 10 s
 */
public record IndexingConfig(
    int concurrency,
    int persons,
    int batchSize,
    int batchTokens,
    int batchesPerClaim,
    Duration pollInterval,
    Duration lease,
    Duration retryBase,
    Duration retryCeiling,
    int textAttempts,
    int visibleAfter,
    Duration versionInterval) {

  public static final IndexingConfig DEFAULT = new IndexingConfig(
      2,
      32,
      64,
      100_000,
      8,
      Duration.ofSeconds(2),
      Duration.ofSeconds(30),
      Duration.ofSeconds(1),
      Duration.ofMinutes(5),
      3,
      5,
      Duration.ofSeconds(2));

  public IndexingConfig {
    Duration most = Duration.ofDays(1);
    Rule.range("indexing.concurrency", concurrency, 1, 64);
    Rule.range("indexing.persons", persons, 1, 512);
    Rule.range("indexing.batchSize", batchSize, 1, 512);
    Rule.range("indexing.batchTokens", batchTokens, 512, 10_000_000);
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
    // A cutover counts on every node knowing of the one before within a minute.
    Rule.range(
        "indexing.versionInterval", versionInterval, Duration.ofMillis(50), Duration.ofSeconds(10));
  }
}
