package dev.askgateway.config;

import java.time.Duration;

/**
 * The embedding of messages behind their import. If one of these exists, it is valid.
 *
 * @param batchSize texts embedded in one call
 * @param concurrency batches at the same time in this process
 * @param pollInterval time between two looks for work when there was none
 * @param leaseDuration how long a silent node keeps a batch
 */
public record IndexingSettings(
    int batchSize, int concurrency, Duration pollInterval, Duration leaseDuration) {

  public IndexingSettings {
    Rule.range("indexing.batchSize", batchSize, 1, 1000);
    Rule.range("indexing.concurrency", concurrency, 1, 64);
    Rule.positive("indexing.pollInterval", pollInterval);
    Rule.positive("indexing.leaseDuration", leaseDuration);
  }

  static IndexingSettings from(Section indexing) {
    return new IndexingSettings(
        indexing.integer("batchSize"),
        indexing.integer("concurrency"),
        indexing.duration("pollInterval"),
        indexing.duration("leaseDuration"));
  }
}
