package dev.askgateway.answer;

import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;

/**
 * What is asked, by whom, with all that the begun turn settled.
 *
 * @param askedNanos when, by {@link System#nanoTime}
 * @param span of the request, which ends with the answer
 */
record Question(
    UserId user,
    UUID requestId,
    StoredAnswer begun,
    String text,
    Scope scope,
    Instant at,
    ZoneId zone,
    String profile,
    Engine.Route route,
    List<RecentTurn> recent,
    long askedNanos,
    Span span) {}
