package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Limiter;

/** What the limits of a door stand on. */
public record LimitParts(LimitConfig config, Limiter limiter, LimitListener listener) {}
