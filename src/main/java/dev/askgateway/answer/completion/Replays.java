package dev.askgateway.answer.completion;

import dev.askgateway.answer.Grace;
import dev.askgateway.answer.LogWriter;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Vertx;
import java.time.Duration;

/** What is kept of requests with an idempotency key, and how it is told again. */
public record Replays(Vertx vertx, EventLog<ReplayEvent> log, TurnRepository turns) {
  /** How long a request goes on whose readers are gone, for one of them to send it again. */
  static final Duration GRACE = Duration.ofSeconds(15);

  /** On the event loop of the request. */
  ReplayWriter writer(Caller caller) {
    return new ReplayWriter(new LogWriter<>(vertx, log, caller.user(), caller.requestId()));
  }

  /** The time that a request goes on without a reader, on its event loop. */
  Grace grace(Caller caller, Runnable lapsed) {
    return new Grace(
        vertx, GRACE, () -> turns.isFollowed(caller.user(), caller.requestId()), lapsed);
  }

  /** The refusal of a key whose answer cannot be told again. */
  static GatewayError notKept() {
    return new GatewayError(
        Code.REQUEST_CONFLICT,
        "This idempotency key was used before and its answer is no longer kept. Send a new key.");
  }

  /** The refusal of a key that was used at another address, with the same body. */
  static GatewayError otherKind() {
    return new GatewayError(
        Code.REQUEST_CONFLICT, "This idempotency key was used for another kind of request.");
  }

  /** What is told of a request that was stopped because nobody waited for it any more. */
  static GatewayError leftAlone() {
    return new GatewayError(
        Code.REQUEST_CONFLICT,
        "The request of this idempotency key was stopped when its client left. Send a new key.");
  }
}
