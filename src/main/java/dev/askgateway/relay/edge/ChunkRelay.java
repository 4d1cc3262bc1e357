package dev.askgateway.relay.edge;

import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.relay.WriteDeadline;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One completion as an event stream. The head waits for the first output, so that what fails before it
 * has a status that clients act on, but not for ever. All that comes in one turn of the loop goes out
 * as one write, for writing to a socket costs more than all the rest of a short answer.
 *
 * <p>Its clean-up hangs on its own timers as much as on the response's callbacks: a response that was
 * closed from our side may never call back.
 */
public final class ChunkRelay implements CompletionSink {
  private static final Runnable NOTHING = () -> {};
  /** Room in the first buffer. A buffer that grows is copied; the next one is made as large. */
  private static final int FIRST_BYTES = 384;

  private static final int MOST_FIRST_BYTES = 2 << 10;

  /** What is written without waiting for the end of the turn. */
  private static final int MOST_PENDING_BYTES = 16 << 10;

  private final Vertx vertx;
  private final Context loop;
  private final HttpServerResponse response;
  private final RelayConfig config;
  private final RelayListener listener;
  private final ChunkEncoder encoder;
  private final WriteDeadline deadline;
  private Buffer pending = Buffer.buffer(FIRST_BYTES);
  private Runnable drained = NOTHING;
  private Runnable closed = NOTHING;
  private final long headNanos;
  private long timer;
  private boolean open;
  private boolean flushing;
  private boolean over;

  /**
   * Answers the request, whose head must not be out yet. To be made on its event loop.
   *
   * @param headAfter longest wait for the first output before the head goes out
   */
  public ChunkRelay(
      Vertx vertx,
      HttpServerRequest request,
      RelayConfig config,
      Duration headAfter,
      RelayListener listener,
      ChunkEncoder encoder) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.response = request.response();
    this.config = config;
    this.listener = listener;
    this.encoder = encoder;
    this.deadline = new WriteDeadline(vertx, request, config.writeDeadline(), this::giveUp);
    response.drainHandler(ok -> drained());
    response.exceptionHandler(broken -> left());
    response.closeHandler(gone -> left());
    this.headNanos = System.nanoTime() + headAfter.toNanos();
    arm(headAfter.toMillis());
  }

  @Override
  public void replayed(long createdSeconds) {
    EdgeErrors.markReplayed(response);
    encoder.created(createdSeconds);
  }

  @Override
  public void dayWarned() {
    EdgeErrors.markDayWarned(response);
  }

  @Override
  public void write(TokenEvent event) {
    if (over) {
      return;
    }
    encoder.encode(event, pending);
    if (pending.length() == 0) {
      return;
    }
    if (pending.length() >= MOST_PENDING_BYTES) {
      flush();
    } else if (!flushing) {
      flushing = true;
      loop.runOnContext(turned -> {
        flushing = false;
        flush();
      });
    }
  }

  private void flush() {
    if (over || pending.length() == 0) {
      return;
    }
    if (response.closed()) {
      left(); // it closed before this relay could watch it
      return;
    }
    open();
    send();
  }

  private void send() {
    Buffer bytes = pending;
    pending = Buffer.buffer(Math.min(MOST_FIRST_BYTES, bytes.length()));
    response.write(bytes);
    deadline.watch();
  }

  private void open() {
    if (open) {
      return;
    }
    open = true;
    listener.opened();
    response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache, no-transform")
        .putHeader("x-accel-buffering", "no");
  }

  /** One timer for the late head and the heartbeats: it looks how far things are when it fires. */
  private void tick() {
    if (over) {
      return;
    }
    if (response.closed()) {
      left();
      return;
    }
    long headMillis = headMillis();
    if (open || headMillis <= 0) {
      open();
      beat();
      arm(Long.MAX_VALUE);
    } else {
      arm(headMillis);
    }
  }

  /** What is left of the wait for the first output. */
  private long headMillis() {
    return TimeUnit.NANOSECONDS.toMillis(headNanos - System.nanoTime());
  }

  private void arm(long mostMillis) {
    long millis = Math.min(mostMillis, config.heartbeat().toMillis());
    timer = vertx.setTimer(Math.max(1, millis), due -> tick());
  }

  private void beat() {
    if (response.writeQueueFull()) {
      deadline.watch(); // a reader may be gone without a word while nothing else is written
    } else {
      pending.appendString(": keep-alive\n\n");
      send();
    }
  }

  @Override
  public void end(Usage usage) {
    if (over) {
      return;
    }
    if (response.closed()) {
      left();
      return;
    }
    encoder.end(usage, pending);
    open();
    stop();
    response.end(pending);
  }

  @Override
  public void fail(Throwable failure) {
    if (over) {
      return;
    }
    boolean told = open || pending.length() > 0;
    if (told && !response.closed()) {
      encoder.fail(failure, pending);
      open();
      stop();
      response.end(pending);
    } else {
      stop();
      EdgeErrors.respond(response, failure);
    }
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
    vertx.cancelTimer(timer);
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
