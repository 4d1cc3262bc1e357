package dev.askgateway.prompt;

/**
 * The bounds of a prompt.
 *
 * @param inputTokens most tokens sent, at four characters each
 * @param outputTokens most tokens of an answer
 * @param recentTurns most earlier turns
 * @param temperature 0 to 1
 */
public record PromptConfig(int inputTokens, int outputTokens, int recentTurns, double temperature) {
  public static final PromptConfig DEFAULT = new PromptConfig(4000, 700, 6, 0.15);

  public PromptConfig {
    require(
        inputTokens >= 2500 && inputTokens <= 1_000_000,
        "inputTokens",
        inputTokens,
        "2500 to 1000000");
    require(
        outputTokens >= 16 && outputTokens <= 100_000,
        "outputTokens",
        outputTokens,
        "16 to 100000");
    require(recentTurns >= 0 && recentTurns <= 50, "recentTurns", recentTurns, "0 to 50");
    require(temperature >= 0 && temperature <= 1, "temperature", temperature, "0 to 1");
  }

  private static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException("prompt." + key + " is " + value + "; it must be " + rule);
    }
  }
}
