package dev.askgateway.provider;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * One configured model.
 *
 * @param name the provider's name in traces, usage rows and metrics and of its section of the
 *     configuration: lower case, digits, dashes
 * @param baseUrl address up to and without the operation ("https://api.openai.com/v1"); a query is
 *     kept
 * @param apiKey the secret, or "" for servers that need none
 * @param model the model's id as the provider knows it
 * @param includeUsage whether to ask for a usage report; some servers refuse the member
 * @param maxTokensMember the request's member for the output cap
 * @param sendTemperature false for models that accept only their own
 */
public record ProviderConfig(
    String name,
    String baseUrl,
    String apiKey,
    String model,
    boolean includeUsage,
    MaxTokensMember maxTokensMember,
    boolean sendTemperature) {

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

  public ProviderConfig {
    if (!name.matches("[a-z0-9][a-z0-9-]{0,39}")) {
      throw new IllegalArgumentException("a provider's name is \"" + name
          + "\"; it must be lower-case letters, digits and dashes, at most 40");
    }
    // Neither is repeated in a message: a mistyped address may hold a password.
    Rule.require(
        httpAddress(baseUrl) != null,
        name + ".baseUrl",
        "not usable",
        "http:// or https:// with a host, without user, password and fragment");
    Rule.require(
        apiKey.chars().allMatch(c -> c > 0x20 && c < 0x7f),
        name + ".apiKey",
        "***",
        "visible ASCII characters without blanks");
    Rule.require(
        !model.isBlank() && model.length() <= 200 && model.equals(model.strip()),
        name + ".model",
        '"' + model + '"',
        "1 to 200 characters without blanks around it");
  }

  /** A model behind an OpenAI-compatible address, with the members most servers accept. */
  public static ProviderConfig of(String name, String baseUrl, String apiKey, String model) {
    return new ProviderConfig(name, baseUrl, apiKey, model, true, MaxTokensMember.MAX_TOKENS, true);
  }

  /** The full address of an operation ("/chat/completions"), before the base address's query. */
  public String operation(String path) {
    int question = baseUrl.indexOf('?');
    String base = question < 0 ? baseUrl : baseUrl.substring(0, question);
    String query = question < 0 ? "" : baseUrl.substring(question);
    return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path + query;
  }

  private static @Nullable URI httpAddress(String url) {
    try {
      URI uri = new URI(url);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean plain = uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && uri.getPort() <= 65_535;
      return http && plain ? uri : null;
    } catch (URISyntaxException notAnAddress) {
      return null;
    }
  }

  /** The key is shown as stars. */
  @Override
  public String toString() {
    int question = baseUrl.indexOf('?');
    String shown = question < 0 ? baseUrl : baseUrl.substring(0, question) + "?***";
    return "ProviderConfig[name=" + name + ", baseUrl=" + shown + ", apiKey="
        + (apiKey.isEmpty() ? "none" : "***") + ", model=" + model + "]";
  }
}
