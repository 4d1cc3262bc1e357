package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * One event stream to one client: the head with the first event, frames as they come, a comment when
 * it is quiet, and an end to readers who never drain.
 *
 * <p>Its clean-up hangs on its own timers as much as on the response's callbacks: a response that was
 * closed from our side may never call back.
 */
public final class SseRelay implements AnswerSink {
  private static final Runnable NOTHING = () -> {};

  private final Vertx vertx;
  private final HttpServerResponse response;
  private final RelayConfig config;
  private final RelayListener listener;
  private final UiStream stream;
  private final WriteDeadline deadline;
  private Runnable drained = NOTHING;
  private Runnable closed = NOTHING;
  private long heartbeat = -1;
  private boolean open;
  private boolean over;

  /** Answers the request, whose head must not be out yet. */
  public SseRelay(
      Vertx vertx, HttpServerRequest request, RelayConfig config, RelayListener listener) {
    this.vertx = vertx;
    this.response = request.response();
    this.config = config;
    this.listener = listener;
    this.stream = new UiStream(config.compat());
    this.deadline = new WriteDeadline(vertx, request, config.writeDeadline(), this::giveUp);
    response.drainHandler(ok -> drained());
    response.exceptionHandler(broken -> left());
    response.closeHandler(gone -> left());
  }

  @Override
  public void write(AnswerEvent event) {
    if (over) {
      return;
    }
    if (response.closed()) {
      left(); // it closed before this relay could watch it
      return;
    }
    if (!open) {
      open();
    }
    String frames = stream.encode(event);
    if (event instanceof AnswerEvent.Ended) {
      stop();
      response.end(frames);
    } else if (!frames.isEmpty()) {
      response.write(frames);
      deadline.watch();
    }
  }

  private void open() {
    open = true;
    listener.opened();
    response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache, no-transform")
        .putHeader("x-accel-buffering", "no")
        .putHeader("x-vercel-ai-ui-message-stream", "v1");
    response.write(": open\n\n");
    heartbeat = vertx.setPeriodic(config.heartbeat().toMillis(), id -> beat());
  }

  private void beat() {
    if (!response.writeQueueFull()) {
      response.write(": \n\n");
    }
    deadline.watch(); // a reader may be gone without a word while nothing else is written
  }

  private void drained() {
    deadline.cancel();
    if (!over) {
      drained.run();
    }
  }

  private void giveUp() {
    listener.givenUp();
    left();
  }

  private void left() {
    if (!over) {
      stop();
      closed.run();
    }
  }

  private void stop() {
    over = true;
    deadline.cancel();
    if (heartbeat >= 0) {
      vertx.cancelTimer(heartbeat);
    }
    if (open) {
      listener.closed();
    }
  }

  @Override
  public boolean full() {
    return !over && open && response.writeQueueFull();
  }

  @Override
  public void drainHandler(Runnable handler) {
    drained = handler;
  }

  @Override
  public void closeHandler(Runnable handler) {
    closed = handler;
    if (over) {
      handler.run(); // it left before anybody asked
    } else if (response.closed()) {
      left();
    }
  }
}
