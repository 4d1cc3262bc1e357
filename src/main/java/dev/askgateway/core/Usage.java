package dev.askgateway.core;

import io.vertx.core.json.JsonObject;

/**
 * Tokens of one model call in disjoint buckets: each token is counted in exactly one of the first
 * four; {@code reasoningTokens} is the part of {@code outputTokens} spent on reasoning, {@code
 * imageTokens} the part of {@code inputTokens} that was images, as far as the provider tells them apart.
 *
 * @param estimated true when the provider reported nothing and the counts are ours
 */
public record Usage(
    long inputTokens,
    long cacheReadTokens,
    long cacheWriteTokens,
    long outputTokens,
    long reasoningTokens,
    long imageTokens,
    boolean estimated) {

  /** More tokens than any model has; what a provider reports above it is a fault of its own. */
  private static final long MOST_TOKENS = 1_000_000_000;

  /** No model was called. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, false);

  public Usage {
    // Some servers report more reasoning than output, or negative differences: clamp, never fail.
    inputTokens = Math.max(0, inputTokens);
    cacheReadTokens = Math.max(0, cacheReadTokens);
    cacheWriteTokens = Math.max(0, cacheWriteTokens);
    outputTokens = Math.max(0, outputTokens);
    reasoningTokens = Math.max(0, Math.min(reasoningTokens, outputTokens));
    imageTokens = Math.max(0, Math.min(imageTokens, inputTokens));
  }

  /** Without images. */
  public Usage(
      long inputTokens,
      long cacheReadTokens,
      long cacheWriteTokens,
      long outputTokens,
      long reasoningTokens,
      boolean estimated) {
    this(
        inputTokens,
        cacheReadTokens,
        cacheWriteTokens,
        outputTokens,
        reasoningTokens,
        0,
        estimated);
  }

  /**
   * This report; one that is itself an estimate counts at least so many output tokens, because it may
   * be older than what was read since.
   */
  public Usage withOutputAtLeast(long tokens) {
    return !estimated || tokens <= outputTokens
        ? this
        : new Usage(
            inputTokens,
            cacheReadTokens,
            cacheWriteTokens,
            tokens,
            reasoningTokens,
            imageTokens,
            true);
  }

  /** This report, in which no bucket has more than a model can have used. */
  public Usage capped() {
    return new Usage(
        Math.min(inputTokens, MOST_TOKENS),
        Math.min(cacheReadTokens, MOST_TOKENS),
        Math.min(cacheWriteTokens, MOST_TOKENS),
        Math.min(outputTokens, MOST_TOKENS),
        Math.min(reasoningTokens, MOST_TOKENS),
        Math.min(imageTokens, MOST_TOKENS),
        estimated);
  }

  /** An estimate by the rule of four characters a token, at least one for text that is there. */
  public static Usage estimate(long inputChars, long outputChars) {
    return new Usage(tokens(inputChars), 0, 0, tokens(outputChars), 0, true);
  }

  /** Estimated tokens of so many characters: a quarter, rounded up. */
  public static long tokens(long chars) {
    return (chars + 3) / 4;
  }

  /** Of all buckets. */
  public long tokens() {
    return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
  }

  public JsonObject toJson() {
    return new JsonObject()
        .put("inputTokens", inputTokens)
        .put("cacheReadTokens", cacheReadTokens)
        .put("cacheWriteTokens", cacheWriteTokens)
        .put("outputTokens", outputTokens)
        .put("reasoningTokens", reasoningTokens)
        .put("imageTokens", imageTokens)
        .put("estimated", estimated);
  }

  public static Usage fromJson(JsonObject json) {
    return new Usage(
        json.getLong("inputTokens", 0L),
        json.getLong("cacheReadTokens", 0L),
        json.getLong("cacheWriteTokens", 0L),
        json.getLong("outputTokens", 0L),
        json.getLong("reasoningTokens", 0L),
        json.getLong("imageTokens", 0L),
        json.getBoolean("estimated", false));
  }
}
