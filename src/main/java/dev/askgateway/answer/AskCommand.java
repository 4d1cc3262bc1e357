package dev.askgateway.answer;

import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.ZoneId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One question, checked.
 *
 * @param question 1 to 2,000 characters, trimmed, well-formed
 * @param zone the request's own zone, or null for the account's
 * @param at the request's own instant, or null for the server's clock
 * @param profile the task profile ("assistant_grounded")
 * @param fingerprint SHA-256 of what the request asks; the same request id with another one conflicts
 * @param span what brought it, under which it is traced
 */
public record AskCommand(
    UserId user,
    UUID requestId,
    Target target,
    String question,
    Scope scope,
    @Nullable ZoneId zone,
    @Nullable Instant at,
    String profile,
    Buffer fingerprint,
    Span span) {

  /** The same, traced under that span. */
  public AskCommand under(Span parent) {
    return new AskCommand(
        user, requestId, target, question, scope, zone, at, profile, fingerprint, parent);
  }

  /** Where the turn is kept. */
  public sealed interface Target {}

  /** A thread of its own. */
  public record NewThread() implements Target {}

  /** The thread that an app knows by a key it made up; made with the first question. */
  public record ClientThread(String key) implements Target {}

  /** A thread that is there. */
  public record ExistingThread(UUID threadId) implements Target {}

  /** The one thread of a chat; the scope is that chat, strictly. */
  public record ChatThread(UUID chatId) implements Target {}

  /** Nowhere: answered, paid and forgotten. */
  public record Search() implements Target {}
}
