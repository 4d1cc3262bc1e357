package dev.askgateway.answer.completion;

import dev.askgateway.core.UserId;
import io.vertx.core.buffer.Buffer;
import java.util.UUID;

/**
 * Whose request it is, and which.
 *
 * @param fingerprint tells two bodies under one request id apart
 */
public record Caller(UserId user, UUID requestId, Buffer fingerprint) {}
