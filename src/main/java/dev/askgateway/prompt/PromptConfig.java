package dev.askgateway.prompt;

import dev.askgateway.core.Rule;

/**
 * The bounds of a prompt.
 *
 * @param inputTokens most tokens sent, as a tokenizer counts them and the model's margin raises them; a
 *     question that leaves no room for evidence has more
 * @param outputTokens most tokens of an answer
 * @param recentTurns most earlier turns
 * @param temperature 0 to 1
 */
public record PromptConfig(int inputTokens, int outputTokens, int recentTurns, double temperature) {
  public static final PromptConfig DEFAULT = new PromptConfig(4000, 700, 6, 0.15);

  public PromptConfig {
    Rule.range("prompt.inputTokens", inputTokens, 2500, 1_000_000);
    Rule.range("prompt.outputTokens", outputTokens, 16, 100_000);
    Rule.range("answer.recentTurns", recentTurns, 0, 50);
    Rule.range("prompt.temperature", temperature, 0.0, 1.0);
  }
}
