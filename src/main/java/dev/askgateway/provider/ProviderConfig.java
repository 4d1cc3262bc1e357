package dev.askgateway.provider;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One configured server of models.
 *
 * @param name the provider's name in traces, usage rows and metrics and of its section of the
 *     configuration: letters, digits and {@code . _ -}
 * @param dialect the wire format it speaks
 * @param baseUrl address up to and without the operation ("https://api.openai.com/v1"); a query is
 *     kept. "" for the dialects that run in this process
 * @param apiKey the secret, or "" for servers that need none
 * @param keyHeader how the key is sent
 * @param includeUsage whether to ask for a usage report (OpenAI dialect); some servers refuse it
 * @param policy what becomes of what it is told
 * @param warmConnections connections kept open while nobody asks, for each event loop
 */
public record ProviderConfig(
    String name,
    Dialect dialect,
    String baseUrl,
    String apiKey,
    KeyHeader keyHeader,
    boolean includeUsage,
    DataPolicy policy,
    int warmConnections) {

  /** The header that holds the key. */
  public enum KeyHeader {
    /** {@code Authorization: Bearer KEY}. */
    BEARER,
    /** {@code api-key: KEY}, as Azure wants it. */
    API_KEY,
    /** {@code x-api-key: KEY}, as Anthropic wants it. */
    X_API_KEY,
    /** {@code x-goog-api-key: KEY}, as Google wants it. */
    X_GOOG_API_KEY;

    /** What the vendor of a dialect takes. */
    public static KeyHeader usual(Dialect dialect) {
      return switch (dialect) {
        case ANTHROPIC -> X_API_KEY;
        case GEMINI -> X_GOOG_API_KEY;
        case OPENAI, EXTRACTIVE, ONNX -> BEARER;
      };
    }

    /** Adds the header, unless there is no key. */
    public void put(io.vertx.core.MultiMap headers, String key) {
      if (key.isEmpty()) {
        return;
      }
      switch (this) {
        case BEARER -> headers.set("authorization", "Bearer " + key);
        case API_KEY -> headers.set("api-key", key);
        case X_API_KEY -> headers.set("x-api-key", key);
        case X_GOOG_API_KEY -> headers.set("x-goog-api-key", key);
      }
    }
  }

  public ProviderConfig {
    String key = "providers." + name;
    Rule.require(
        name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,59}"),
        key,
        '"' + name + '"',
        "letters, digits and . _ -, at most 60");
    // Neither is repeated in a message: a mistyped address may hold a password.
    boolean here = isInProcess(dialect);
    Rule.require(
        here ? baseUrl.isEmpty() : httpAddress(baseUrl) != null,
        key + ".baseUrl",
        "not usable",
        here
            ? "empty for a dialect in this process"
            : "http:// or https:// with a host, without user, password and fragment");
    Rule.require(
        apiKey.chars().allMatch(c -> c > 0x20 && c < 0x7f),
        key + ".apiKey",
        "***",
        "visible ASCII characters without blanks");
    Rule.require(
        DataPolicy.isRegion(policy.region()), key + ".region", policy.region(), DataPolicy.REGION);
    Rule.range(key + ".warmConnections", warmConnections, 0, 64);
  }

  /** Whether nothing that it is told leaves this process. */
  public boolean isInProcess() {
    return isInProcess(dialect);
  }

  private static boolean isInProcess(Dialect dialect) {
    return dialect == Dialect.EXTRACTIVE || dialect == Dialect.ONNX;
  }

  /**
   * Whether content that may go to {@code wanted} may come here. What stays in this process is kept by
   * nobody, in nobody's account, so it may always.
   */
  public boolean satisfies(DataPolicy wanted) {
    return isInProcess() || policy.satisfies(wanted);
  }

  /** Whether its address is of that host, or of one below it. */
  public boolean isHostedBy(String host) {
    URI uri = baseUrl.isEmpty() ? null : httpAddress(baseUrl);
    String there = uri == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
    return there.equals(host) || there.endsWith("." + host);
  }

  /** A managed server with an OpenAI-compatible address. */
  public static ProviderConfig of(String name, String baseUrl, String apiKey) {
    return of(name, Dialect.OPENAI, baseUrl, apiKey, KeyHeader.BEARER);
  }

  /** A managed server of any dialect. */
  public static ProviderConfig of(
      String name, Dialect dialect, String baseUrl, String apiKey, KeyHeader keyHeader) {
    return new ProviderConfig(
        name,
        dialect,
        baseUrl,
        apiKey,
        keyHeader,
        true,
        new DataPolicy(DataPolicy.Mode.MANAGED, DataPolicy.Retention.PROVIDER_POLICY, ""),
        0);
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
    return "ProviderConfig[name=" + name + ", dialect=" + dialect + ", baseUrl=" + shown
        + ", apiKey=" + (apiKey.isEmpty() ? "none" : "***") + "]";
  }
}
