package dev.askgateway.provider;

import dev.askgateway.core.Rule;

/**
 * One configured model.
 *
 * @param id what callers and profiles name it by: letters, digits and {@code . _ - / :}
 * @param provider the {@link ProviderConfig#name} that serves it
 * @param model its id as the provider knows it
 * @param maxTokensMember the request's member for the output cap (OpenAI dialect)
 * @param sendTemperature false for models that accept only their own
 * @param tokenMargin tokens that it makes of what is one in {@code o200k_base}, for holds; 0: by its
 *     server
 * @param imageTokens most tokens that it makes of one image, for holds
 */
public record ModelConfig(
    String id,
    String provider,
    String model,
    Capabilities capabilities,
    MaxTokensMember maxTokensMember,
    boolean sendTemperature,
    double tokenMargin,
    int imageTokens) {

  /** Of a model that nothing else is known of. */
  public static final int IMAGE_TOKENS = 5_000;

  private static final double MOST_MARGIN = 10;
  private static final int MOST_IMAGE_TOKENS = 1_000_000;

  /** What a server calls the cap on output tokens. */
  public enum MaxTokensMember {
    MAX_TOKENS("max_tokens"),
    MAX_COMPLETION_TOKENS("max_completion_tokens");

    private final String wire;

    MaxTokensMember(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  public ModelConfig {
    String key = "models." + id;
    Rule.require(
        id.matches("[A-Za-z0-9][A-Za-z0-9._:/-]{0,119}"),
        key,
        '"' + id + '"',
        "letters, digits and . _ - / :, at most 120");
    Rule.require(
        !model.isBlank() && model.length() <= 200 && model.equals(model.strip()),
        key + ".model",
        '"' + model + '"',
        "1 to 200 characters without blanks around it");
    capabilities.check(key);
    Rule.require(
        tokenMargin == 0 || (tokenMargin >= 1 && tokenMargin <= MOST_MARGIN),
        key + ".tokenMargin",
        tokenMargin,
        "0, or 1 to 10");
    Rule.range(key + ".imageTokens", imageTokens, 1, MOST_IMAGE_TOKENS);
  }

  /** With the margin of its server, and images of the usual size. */
  public ModelConfig(
      String id,
      String provider,
      String model,
      Capabilities capabilities,
      MaxTokensMember maxTokensMember,
      boolean sendTemperature) {
    this(id, provider, model, capabilities, maxTokensMember, sendTemperature, 0, IMAGE_TOKENS);
  }

  /** A model of text with the members most servers accept, named as the provider names it. */
  public static ModelConfig of(String provider, String model) {
    return new ModelConfig(
        model, provider, model, Capabilities.TEXT, MaxTokensMember.MAX_TOKENS, true);
  }
}
