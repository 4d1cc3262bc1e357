package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Limit;
import dev.askgateway.budget.limit.Verdict;
import io.vertx.core.MultiMap;
import java.time.Duration;

/**
 * What a client is told of its bucket (draft-ietf-httpapi-ratelimit-headers): the limit is a full
 * bucket, the reset the seconds until it is full; in a refusal, until another try can help.
 */
final class RateHeaders {
  private RateHeaders() {}

  static void write(MultiMap headers, Limit limit, Verdict verdict) {
    if (!limit.hasRate()) {
      return;
    }
    Duration reset = verdict.isAdmitted() ? verdict.reset() : verdict.retryAfter();
    headers
        .set("ratelimit-limit", Integer.toString(limit.burst()))
        .set("ratelimit-remaining", Long.toString(verdict.remaining()))
        .set("ratelimit-reset", Long.toString(seconds(reset)))
        .set("ratelimit-policy", limit.perMinute() + ";w=60;burst=" + limit.burst());
  }

  /** Rounded up as Retry-After is. */
  private static long seconds(Duration delay) {
    return Math.max(1, (delay.toMillis() + 999) / 1000);
  }
}
