package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

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
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final RelayConfig config;
  private final RelayListener listener;
  private final UiStream stream;
  private Runnable drained = NOTHING;
  private Runnable closed = NOTHING;
  private long heartbeat = -1;
  private long deadline = -1;
  private boolean open;
  private boolean over;

  /** Answers the request, whose head must not be out yet. */
  public SseRelay(
      Vertx vertx, HttpServerRequest request, RelayConfig config, RelayListener listener) {
    this.vertx = vertx;
    this.request = request;
    this.response = request.response();
    this.config = config;
    this.listener = listener;
    this.stream = new UiStream(config.compat());
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
      watchQueue();
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
    watchQueue(); // a reader may be gone without a word while nothing else is written
  }

  private void watchQueue() {
    if (deadline < 0 && response.writeQueueFull()) {
      deadline = vertx.setTimer(config.writeDeadline().toMillis(), id -> giveUp());
    }
  }

  private void drained() {
    cancelDeadline();
    if (!over) {
      drained.run();
    }
  }

  private void giveUp() {
    deadline = -1;
    listener.givenUp();
    left();
    response.reset();
    cut();
  }

  /**
   * HTTP/1 has no reset of its own: Vert.x closes the connection once what is queued is out, which is
   * never. What HTTP/2 resets is one stream of a connection that others may use.
   */
  private void cut() {
    boolean alone = request.version() != HttpVersion.HTTP_2;
    if (alone && request.connection() instanceof ConnectionBase stuck) {
      stuck.channelHandlerContext().close();
    }
  }

  private void left() {
    if (!over) {
      stop();
      closed.run();
    }
  }

  private void stop() {
    over = true;
    cancelDeadline();
    if (heartbeat >= 0) {
      vertx.cancelTimer(heartbeat);
    }
    if (open) {
      listener.closed();
    }
  }

  private void cancelDeadline() {
    if (deadline >= 0) {
      vertx.cancelTimer(deadline);
      deadline = -1;
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
