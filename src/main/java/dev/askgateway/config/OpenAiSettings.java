package dev.askgateway.config;

import java.time.Duration;
import java.util.Set;

/**
 * One OpenAI-compatible API, or none. If one of these exists, it is valid.
 *
 * @param baseUrl {@code https://host/v1}; empty: there is none
 * @param maxTokensField name of the field that caps the output
 * @param includeUsage whether to ask for the usage at the end of the stream
 * @param firstDelta longest wait for the first text
 * @param stall longest silence between two pieces of text
 * @param total longest time of the whole call
 */
public record OpenAiSettings(
    String baseUrl,
    String apiKey,
    String model,
    String maxTokensField,
    boolean includeUsage,
    Duration connectTimeout,
    Duration firstDelta,
    Duration stall,
    Duration total,
    Prices prices) {

  /** Micro-USD for a million tokens of each kind. */
  public record Prices(long input, long cacheRead, long cacheWrite, long output) {
    // 10,000 USD for a million tokens: with any token count of ours the product fits a long.
    private static final long MOST = 10_000_000_000L;

    public Prices {
      Rule.range("openai.prices.input", input, 0, MOST);
      Rule.range("openai.prices.cacheRead", cacheRead, 0, MOST);
      Rule.range("openai.prices.cacheWrite", cacheWrite, 0, MOST);
      Rule.range("openai.prices.output", output, 0, MOST);
    }
  }

  public OpenAiSettings {
    if (!baseUrl.isEmpty()) {
      Rule.url("openai.baseUrl", baseUrl, Set.of("http", "https"));
    }
    Rule.require(
        Set.of("max_tokens", "max_completion_tokens").contains(maxTokensField),
        "openai.maxTokensField",
        maxTokensField,
        "max_tokens or max_completion_tokens");
    Rule.positive("openai.connectTimeout", connectTimeout);
    Rule.positive("openai.firstDelta", firstDelta);
    Rule.positive("openai.stall", stall);
    Rule.positive("openai.total", total);
  }

  static OpenAiSettings from(Section openai) {
    String baseUrl = openai.string("baseUrl");
    Section prices = openai.section("prices");
    return new OpenAiSettings(
        baseUrl,
        baseUrl.isEmpty() ? openai.secret("apiKey") : openai.requiredSecret("apiKey", "sample"),
        baseUrl.isEmpty() ? openai.string("model") : openai.required("model", "sample"),
        openai.string("maxTokensField"),
        openai.bool("includeUsage"),
        openai.duration("connectTimeout"),
        openai.duration("firstDelta"),
        openai.duration("stall"),
        openai.duration("total"),
        new Prices(
            prices.whole("input"),
            prices.whole("cacheRead"),
            prices.whole("cacheWrite"),
            prices.whole("output")));
  }

  /** Whether there is a model to call. A key alone calls nobody: the address must be written down. */
  public boolean enabled() {
    return !baseUrl.isEmpty();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "OpenAiSettings[baseUrl=" + Redaction.shown("openai.baseUrl", baseUrl) + ", apiKey="
        + Redaction.shown("openai.apiKey", apiKey) + ", model=" + model + ", maxTokensField="
        + maxTokensField + ", includeUsage=" + includeUsage + ", connectTimeout=" + connectTimeout
        + ", firstDelta=" + firstDelta + ", stall=" + stall + ", total=" + total + ", " + prices
        + "]";
  }
}
