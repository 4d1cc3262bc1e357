package dev.askgateway.intake.auth;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens are believed. Exactly one of secret and key address is set, and it decides which
 * algorithms are: a token never chooses.
 *
 * @param secret the shared secret of HS256 tokens, at least 32 bytes, or null
 * @param jwksUrl where the ES256 and RS256 keys are published, or null
 * @param issuer the one issuer; empty, with a secret only, for any
 * @param audience what a token's audience must contain; empty, with a secret only, for any
 * @param skew how far clocks may differ, at most five minutes
 * @param minRefetch shortest time between two fetches of the keys
 * @param maxKeyAge after which the keys are fetched anew, so that a withdrawn one stops working
 */
public record AuthConfig(
    @Nullable String secret,
    @Nullable String jwksUrl,
    String issuer,
    String audience,
    Duration skew,
    Duration minRefetch,
    Duration maxKeyAge) {

  /** RFC 7518, 3.2: an HS256 key is at least as long as the hash. */
  private static final int LEAST_SECRET_BYTES = 32;

  public AuthConfig {
    Rule.require(
        secret == null || secret.getBytes(StandardCharsets.UTF_8).length >= LEAST_SECRET_BYTES,
        "auth.secret",
        "***",
        "at least " + LEAST_SECRET_BYTES + " bytes long");
    Rule.require(
        jwksUrl == null || isHttp(jwksUrl),
        "auth.jwksUrl",
        "not an address",
        "http:// or https:// with a host, without user and password");
    Rule.range("auth.skew", skew, Duration.ZERO, Duration.ofMinutes(5));
    Rule.range("auth.minRefetch", minRefetch, Duration.ofMillis(1), Duration.ofDays(1));
    Rule.range("auth.maxKeyAge", maxKeyAge, Duration.ofMillis(1), Duration.ofDays(1));
    Rule.require(
        maxKeyAge.compareTo(minRefetch) >= 0,
        "auth.maxKeyAge",
        Rule.text(maxKeyAge),
        "at least auth.minRefetch, " + Rule.text(minRefetch));
    Rule.require(
        secret != null || jwksUrl != null, "auth.secret", "missing", "set, unless auth.jwksUrl is");
    Rule.require(
        secret == null || jwksUrl == null,
        "auth.secret",
        "***",
        "empty when auth.jwksUrl is set: keys of one kind only");
    // A published key may sign for many services; a secret of our own signs for us alone.
    boolean shared = jwksUrl != null;
    Rule.require(
        !shared || !issuer.isBlank(),
        "auth.issuer",
        "missing",
        "the issuer of the tokens when auth.jwksUrl is set");
    Rule.require(
        !shared || !audience.isBlank(),
        "auth.audience",
        "missing",
        "the audience of the tokens when auth.jwksUrl is set");
  }

  /** The algorithms a token may be signed with. */
  public Set<String> algorithms() {
    return secret == null ? Set.of("ES256", "RS256") : Set.of("HS256");
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() != null
          && uri.getRawUserInfo() == null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
    } catch (URISyntaxException notAnAddress) {
      return false;
    }
  }

  /** The secret prints as stars. */
  @Override
  public String toString() {
    return "AuthConfig[secret=" + (secret == null ? "none" : "***") + ", jwksUrl="
        + (jwksUrl == null ? "none" : jwksUrl.split("\\?", 2)[0]) + ", issuer=" + issuer
        + ", audience=" + audience + ", skew=" + skew + "]";
  }
}
