package dev.askgateway.config;

import dev.askgateway.budget.limit.Limit;
import dev.askgateway.intake.limit.LimitConfig;

/** Which keys fill the limits. No rules: the record has them. */
final class LimitSection {
  private LimitSection() {}

  static LimitConfig read(Section root) {
    Section limits = root.section("limits");
    Section ask = limits.section("ask");
    return new LimitConfig(
        new Limit(ask.integer("perMinute"), ask.integer("burst"), ask.integer("concurrent")),
        rate(limits.section("other")),
        rate(limits.section("address")),
        limits.integer("trustedProxies"));
  }

  private static Limit rate(Section one) {
    return new Limit(one.integer("perMinute"), one.integer("burst"), 0);
  }
}
