package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Limit;
import dev.askgateway.core.Rule;

/**
 * How much may be asked.
 *
 * @param ask questions, completions and embeddings of a person
 * @param other all else of a person
 * @param address requests of an address that show no valid token
 * @param trustedProxies how many proxies before the gateway append to X-Forwarded-For; 0: the socket's
 *     address is the client's
 */
public record LimitConfig(Limit ask, Limit other, Limit address, int trustedProxies) {
  /** Nothing is limited. */
  public static final LimitConfig OFF = new LimitConfig(Limit.OFF, Limit.OFF, Limit.OFF, 0);

  private static final int MOST = 1_000_000;

  public LimitConfig {
    check("limits.ask", ask);
    check("limits.other", other);
    check("limits.address", address);
    Rule.range("limits.trustedProxies", trustedProxies, 0, 16);
  }

  private static void check(String key, Limit limit) {
    Rule.range(key + ".perMinute", limit.perMinute(), 0, MOST);
    Rule.range(key + ".burst", limit.burst(), 1, MOST);
    Rule.range(key + ".concurrent", limit.concurrent(), 0, MOST);
  }

  Limit of(Scope scope) {
    return switch (scope) {
      case ASK -> ask;
      case OTHER -> other;
      case ADDRESS -> address;
    };
  }
}
