package dev.askgateway.config;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who may ask: exactly one of an HS256 secret and a JWKS address. If one of these exists, it is valid.
 *
 * @param secret empty when there is a jwksUrl
 * @param jwksUrl empty when there is a secret
 * @param issuer that tokens must name; empty: any
 * @param audience that tokens must name; empty: any
 * @param skew how far clocks may differ
 * @param jwksRefetchInterval shortest time between two reads for an unknown key id
 */
public record AuthSettings(
    String secret,
    String jwksUrl,
    String issuer,
    String audience,
    Duration skew,
    Duration jwksRefetchInterval) {
  /** RFC 7518, 3.2: an HS256 key is at least as long as the hash. */
  private static final int LEAST_SECRET_BYTES = 32;

  public AuthSettings {
    int bytes = secret.getBytes(StandardCharsets.UTF_8).length;
    Rule.require(
        bytes == 0 || bytes >= LEAST_SECRET_BYTES,
        "auth.secret",
        secret,
        "at least " + LEAST_SECRET_BYTES + " bytes long");
    if (!jwksUrl.isEmpty()) {
      Rule.url("auth.jwksUrl", jwksUrl, Set.of("http", "https"));
    }
    Rule.notNegative("auth.skew", skew);
    Rule.positive("auth.jwksRefetchInterval", jwksRefetchInterval);
    if (secret.isEmpty() == jwksUrl.isEmpty()) {
      throw new IllegalArgumentException(
          secret.isEmpty()
              ? "auth.secret is missing; it must be set (or auth.jwksUrl instead)"
              : "auth.secret is ***; it must be empty when auth.jwksUrl is set: keys of one kind only");
    }
  }

  static AuthSettings from(Section auth) {
    return new AuthSettings(
        auth.secret("secret"),
        auth.string("jwksUrl"),
        auth.string("issuer"),
        auth.string("audience"),
        auth.duration("skew"),
        auth.duration("jwksRefetchInterval"));
  }

  /** Reads this section alone, for {@link ConfigLoader#load}. */
  public static AuthSettings only(Section root) {
    Supplier<AuthSettings> auth = root.read("auth", AuthSettings::from);
    root.verify();
    return auth.get();
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "AuthSettings[secret=" + Redaction.shown("auth.secret", secret) + ", jwksUrl="
        + Redaction.shown("auth.jwksUrl", jwksUrl) + ", issuer=" + issuer + ", audience=" + audience
        + ", skew=" + skew + ", jwksRefetchInterval=" + jwksRefetchInterval + "]";
  }
}
