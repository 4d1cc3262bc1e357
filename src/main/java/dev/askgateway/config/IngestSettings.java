package dev.askgateway.config;

/**
 * Limits of an import of messages. If one of these exists, it is valid.
 *
 * @param batchSize messages written in one transaction
 * @param maxRejectionsListed most rejected lines that an answer lists; all are counted
 */
public record IngestSettings(
    int maxLineBytes, long maxBodyBytes, int batchSize, int maxRejectionsListed) {

  public IngestSettings {
    Rule.range("ingest.maxLineBytes", maxLineBytes, 1024, 16 << 20);
    Rule.range("ingest.maxBodyBytes", maxBodyBytes, 1024, 1L << 40);
    Rule.range("ingest.batchSize", batchSize, 1, 10_000);
    Rule.range("ingest.maxRejectionsListed", maxRejectionsListed, 0, 100_000);
  }

  static IngestSettings from(Section ingest) {
    return new IngestSettings(
        (int) Math.min(ingest.bytes("maxLineBytes"), Integer.MAX_VALUE),
        ingest.bytes("maxBodyBytes"),
        ingest.integer("batchSize"),
        ingest.integer("maxRejectionsListed"));
  }
}
