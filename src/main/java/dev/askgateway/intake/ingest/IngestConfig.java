package dev.askgateway.intake.ingest;

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
    require("ingest.maxLineBytes", maxLineBytes, 1024, 16 << 20);
    require("ingest.maxBodyBytes", maxBodyBytes, 1024, 1L << 40);
    require("ingest.batchSize", batchSize, 1, 5000);
    require("ingest.maxRejectedListed", maxRejectedListed, 0, 10_000);
  }

  private static void require(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + " is " + value + "; it must be " + least + " to " + most);
    }
  }
}
