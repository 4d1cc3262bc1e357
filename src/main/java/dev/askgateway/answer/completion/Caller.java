package dev.askgateway.answer.completion;

import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import io.vertx.core.buffer.Buffer;
import java.util.UUID;

/**
 * Whose request it is, and which.
 *
 * @param fingerprint tells two bodies under one request id apart
 * @param keyed whether the client chose the id and may send it again, so that what it is told is kept
 * @param createdSeconds when the request came, in seconds since 1970
 * @param span of the request, which ends when all is settled
 */
public record Caller(
    UserId user,
    UUID requestId,
    Buffer fingerprint,
    boolean keyed,
    long createdSeconds,
    Span span) {}
