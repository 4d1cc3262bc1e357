package dev.askgateway.config;

/**
 * The size and the freedom of a model call. If one of these exists, it is valid.
 *
 * @param maxInputTokens of question, evidence and recent turns, by our estimate
 * @param maxOutputTokens hard cap of the answer
 * @param temperature 0 to 1
 */
public record PromptSettings(int maxInputTokens, int maxOutputTokens, double temperature) {

  public PromptSettings {
    Rule.range("prompt.maxInputTokens", maxInputTokens, 2500, 1_000_000);
    Rule.range("prompt.maxOutputTokens", maxOutputTokens, 1, 100_000);
    Rule.share("prompt.temperature", temperature);
  }

  static PromptSettings from(Section prompt) {
    return new PromptSettings(
        prompt.integer("maxInputTokens"),
        prompt.integer("maxOutputTokens"),
        prompt.decimal("temperature"));
  }
}
