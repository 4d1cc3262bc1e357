package dev.askgateway.provider.sse;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a response into a token stream, at the reader's pace, and gives its connection back exactly
 * once: by reading it to its end, or by a reset while it is still ours. A reset after the end could
 * hit whoever has the connection now.
 *
 * <p>All events of one piece from the network are told in one go, in the same tick: a reader may
 * gather what it writes until that is over.
 */
public final class SseTokenStream implements TokenPump.Source, SseReader.Sink {
  /** How long a server may take to close a response whose end marker it has sent. */
  private static final long DRAIN_MILLIS = 500;

  /** How long usage and the end marker may stay away once the model has stopped. */
  private static final long TAIL_MILLIS = 3_000;

  private static final int MOST_DRAINED_BYTES = 64 << 10;

  private final Vertx vertx;
  private final HttpClientResponse response;
  private final SseDialect dialect;
  private final SseReader reader;
  private final TokenPump pump = new TokenPump(this);
  private final Consumer<TokenEvent> out = pump::offer;
  private boolean over;
  private boolean released;
  private boolean paused = true;
  private int drainedBytes;
  private @Nullable Throwable broke;
  private long timer = -1;

  private SseTokenStream(
      Vertx vertx, HttpClientResponse response, SseDialect dialect, ClientLimits limits) {
    this.vertx = vertx;
    this.response = response;
    this.dialect = dialect;
    this.reader = new SseReader(limits.maxLineBytes(), limits.maxEventBytes(), this);
  }

  /** The token stream, paused. To be called in the tick the response arrived, on its event loop. */
  public static TokenStream of(
      Vertx vertx, HttpClientResponse response, SseDialect dialect, ClientLimits limits) {
    SseTokenStream stream = new SseTokenStream(vertx, response, dialect, limits);
    response
        .pause()
        .exceptionHandler(stream::broken)
        .endHandler(ended -> stream.ended())
        .handler(stream::chunk);
    return stream.pump;
  }

  private void chunk(Buffer bytes) {
    if (over) {
      drainedBytes += bytes.length();
      if (drainedBytes > MOST_DRAINED_BYTES) {
        reset();
      }
      return;
    }
    try {
      reader.feed(bytes);
      if (!over && dialect.done()) {
        whole(null);
      } else if (!over && dialect.finishing()) {
        restart(TAIL_MILLIS, this::tailOver);
      }
    } catch (RuntimeException error) {
      fail(ProviderFailure.transport(error));
    }
  }

  @Override
  public void event(SseEvent event) {
    if (!over && !dialect.done()) {
      dialect.event(event, out);
    }
  }

  @Override
  public void stray(String line) {
    if (!over && !dialect.done()) {
      dialect.stray(line, out);
    }
  }

  private void ended() {
    released = true;
    vertx.cancelTimer(timer);
    if (over) {
      return;
    }
    @Nullable SseEvent pending;
    try {
      pending = reader.end();
    } catch (RuntimeException error) {
      fail(ProviderFailure.transport(error));
      return;
    }
    whole(pending);
  }

  private void broken(Throwable cause) {
    released = true;
    vertx.cancelTimer(timer);
    broke = cause;
    if (!paused) {
      judge();
    }
  }

  /**
   * Over HTTP/2 word of the break overtakes what waits for our reader, maybe the end with it: nothing
   * is judged before that is read.
   */
  private void judge() {
    Throwable cause = broke;
    if (over || paused || cause == null) {
      return;
    }
    if (dialect.finishing()) {
      whole(null); // the model had stopped: only the good-bye is missing
    } else {
      fail(ProviderFailure.error(Kind.TRUNCATED, cause.getClass().getSimpleName()));
    }
  }

  private void tailOver() {
    if (paused) {
      restart(TAIL_MILLIS, this::tailOver); // what is missing may be waiting for our reader
    } else if (!over) {
      whole(null);
    }
  }

  /** Tells the end of the answer: whole if the dialect agrees, else failed. One of them is told. */
  private void whole(@Nullable SseEvent pending) {
    try {
      dialect.end(pending, out);
    } catch (RuntimeException error) {
      fail(ProviderFailure.transport(error));
      return;
    }
    if (over) {
      return;
    }
    over = true;
    if (!released) {
      restart(DRAIN_MILLIS, this::reset);
      response.resume();
    }
    pump.end();
  }

  private void fail(GatewayError error) {
    if (!over) {
      reset();
      pump.fail(error);
    }
  }

  private void reset() {
    over = true;
    vertx.cancelTimer(timer);
    if (!released) {
      released = true;
      response.request().reset();
    }
  }

  private void restart(long millis, Runnable action) {
    vertx.cancelTimer(timer);
    timer = vertx.setTimer(millis, fired -> action.run());
  }

  @Override
  public void pause() {
    if (!over) {
      paused = true;
      response.pause();
    }
  }

  @Override
  public void resume() {
    if (!over) {
      paused = false;
      response.resume();
      if (broke != null && !over) {
        vertx.runOnContext(read -> judge());
      }
    }
  }

  /** A call that is not over is reset, which stops the model; one that is, is left to be drained. */
  @Override
  public void cancel() {
    if (!over) {
      reset();
    }
  }
}
