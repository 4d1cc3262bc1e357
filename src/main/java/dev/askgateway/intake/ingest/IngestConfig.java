package dev.askgateway.intake.ingest;

import dev.askgateway.core.Rule;

/**
 * Limits of {@code POST /ai/messages}.
 *
 * @param maxLineBytes longest line (or array element) that is read; a longer one is rejected alone
 * @param maxBodyBytes longest body, after any decompression
 * @param batchSize lines written in one transaction
 * @param maxRejectedListed rejected lines that the answer lists; it counts all of them
 */
public record IngestConfig(
    int maxLineBytes, long maxBodyBytes, int batchSize, int maxRejectedListed) {

  public IngestConfig {
    Rule.range("ingest.maxLineBytes", maxLineBytes, 1024, 16 << 20);
    Rule.range("ingest.maxBodyBytes", maxBodyBytes, 1024, 1L << 40);
    Rule.range("ingest.batchSize", batchSize, 1, 5000);
    Rule.range("ingest.maxRejectedListed", maxRejectedListed, 0, 10_000);
  }
}
