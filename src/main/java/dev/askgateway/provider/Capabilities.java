package dev.askgateway.provider;

import dev.askgateway.core.Rule;

/**
 * What a model can do (spec D1). A request goes only to a model that can do all it needs.
 *
 * @param contextTokens most tokens of input and output together
 * @param outputTokens most tokens of one answer
 * @param tools whether it takes tools
 * @param structuredOutput whether it takes a JSON schema for its answer
 * @param images whether it reads images
 * @param reportsUsage whether it says what it used; else that is estimated
 * @param simulatedStreaming whether its stream is a whole answer cut into pieces, so that its first
 *     text comes with its last
 * @param embeddingDimensions length of its vectors; 0: it makes none, and answers instead
 */
public record Capabilities(
    int contextTokens,
    int outputTokens,
    boolean tools,
    boolean structuredOutput,
    boolean images,
    boolean reportsUsage,
    boolean simulatedStreaming,
    int embeddingDimensions) {

  /** What most models of the day can do at least. */
  public static final Capabilities TEXT =
      new Capabilities(128_000, 4_096, false, false, false, true, false, 0);

  /** Checks the numbers under their keys: {@code models.NAME.contextTokens} and so on. */
  void check(String key) {
    Rule.range(key + ".contextTokens", contextTokens, 256, 100_000_000);
    Rule.range(key + ".outputTokens", outputTokens, 1, contextTokens);
    Rule.range(key + ".embeddingDimensions", embeddingDimensions, 0, 65_536);
  }

  public boolean embeds() {
    return embeddingDimensions > 0;
  }
}
