package dev.askgateway.intake.auth;

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
 * @param hs256Secret the shared secret of HS256 tokens, at least 32 bytes, or null
 * @param jwksUrl where the ES256 and RS256 keys are published, or null
 * @param issuer the one issuer; empty, with a secret only, for any
 * @param audience what a token's audience must contain; empty, with a secret only, for any
 * @param skew how far clocks may differ, at most five minutes
 * @param minRefetch shortest time between two fetches of the keys
 * @param maxKeyAge after which the keys are fetched anew, so that a withdrawn one stops working
 */
public record AuthConfig(
    @Nullable String hs256Secret,
    @Nullable String jwksUrl,
    String issuer,
    String audience,
    Duration skew,
    Duration minRefetch,
    Duration maxKeyAge) {

  public static final Duration DEFAULT_SKEW = Duration.ofSeconds(60);
  public static final Duration DEFAULT_MIN_REFETCH = Duration.ofSeconds(30);
  public static final Duration DEFAULT_MAX_KEY_AGE = Duration.ofMinutes(15);

  public AuthConfig {
    require(
        (hs256Secret == null) != (jwksUrl == null),
        "auth.hs256Secret and auth.jwksUrl",
        hs256Secret == null ? "both missing" : "both set",
        "exactly one of them set");
    if (hs256Secret != null) {
      int bytes = hs256Secret.getBytes(StandardCharsets.UTF_8).length;
      require(bytes >= 32, "auth.hs256Secret", bytes + " bytes long", "at least 32 bytes");
    }
    require(
        jwksUrl == null || isHttp(jwksUrl), "auth.jwksUrl", jwksUrl, "an http or https address");
    // A published key may sign for many services; a secret of our own signs for us alone.
    boolean shared = jwksUrl != null;
    require(!shared || !issuer.isBlank(), "auth.issuer", "blank", "the issuer of the tokens");
    require(!shared || !audience.isBlank(), "auth.audience", "blank", "the audience of the tokens");
    require(
        !skew.isNegative() && skew.compareTo(Duration.ofMinutes(5)) <= 0,
        "auth.skew",
        skew,
        "0s to 5m");
    require(minRefetch.toMillis() >= 1, "auth.minRefetch", minRefetch, "at least 1ms");
    require(
        maxKeyAge.compareTo(minRefetch) >= 0,
        "auth.maxKeyAge",
        maxKeyAge,
        "at least auth.minRefetch");
  }

  /** The algorithms a token may be signed with. */
  public Set<String> algorithms() {
    return hs256Secret == null ? Set.of("ES256", "RS256") : Set.of("HS256");
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
    } catch (URISyntaxException notAnAddress) {
      return false;
    }
  }

  private static void require(boolean holds, String key, @Nullable Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be " + rule);
    }
  }

  /** The secret prints as stars. */
  @Override
  public String toString() {
    return "AuthConfig[hs256Secret=" + (hs256Secret == null ? "none" : "***") + ", jwksUrl="
        + jwksUrl + ", issuer=" + issuer + ", audience=" + audience + ", skew=" + skew + "]";
  }
}
