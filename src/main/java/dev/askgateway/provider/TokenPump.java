package dev.askgateway.provider;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import io.vertx.core.Handler;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A token stream fed by hand: it queues what comes faster than it is asked for, holds its source back
 * meanwhile, and ends once. Starts paused. Everything happens on one event loop.
 *
 * <p>The end and a failure keep their place behind the events before them, so neither is told to a
 * reader that is paused. A reader that throws loses the stream: the source is cancelled.
 */
public final class TokenPump implements TokenStream {

  /** Where the events come from. Told to flow and to hold in turns, first to flow. */
  public interface Source {
    void pause();

    void resume();

    /** Stop for good. Called at most once, also when the source has already ended. */
    void cancel();
  }

  private final Source source;
  private final ArrayDeque<TokenEvent> queue = new ArrayDeque<>();
  private @Nullable Handler<TokenEvent> eventHandler;
  private @Nullable Handler<Throwable> exceptionHandler;
  private @Nullable Handler<Void> endHandler;
  private long demand;
  private boolean delivering;
  private boolean flowing;
  private boolean ended;
  private @Nullable GatewayError failure;
  private boolean closed;

  public TokenPump(Source source) {
    this.source = source;
  }

  /** Takes the next event. Ignored after the end and after a cancel. */
  public void offer(TokenEvent event) {
    if (!ended && !closed) {
      queue.add(event);
      deliver();
    }
  }

  /** Ends the stream well, after what is queued. Ignored when it has ended. */
  public void end() {
    finish(null);
  }

  /** Ends the stream badly, after what is queued. Ignored when it has ended. */
  public void fail(GatewayError error) {
    finish(error);
  }

  /** Whether the reader wants more than it has got: upstream's silence is upstream's. */
  public boolean isWaiting() {
    return flowing;
  }

  @Override
  public void cancel() {
    if (!closed) {
      close();
      source.cancel();
    }
  }

  @Override
  public TokenStream handler(@Nullable Handler<TokenEvent> handler) {
    eventHandler = closed ? null : handler;
    deliver();
    return this;
  }

  @Override
  public TokenStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    exceptionHandler = handler;
    return this;
  }

  @Override
  public TokenStream endHandler(@Nullable Handler<Void> handler) {
    endHandler = handler;
    return this;
  }

  @Override
  public TokenStream pause() {
    demand = 0;
    steer();
    return this;
  }

  @Override
  public TokenStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public TokenStream fetch(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("a fetch of " + amount + " events");
    }
    demand = amount > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + amount;
    deliver();
    return this;
  }

  private void finish(@Nullable GatewayError error) {
    if (!ended && !closed) {
      ended = true;
      failure = error;
      deliver();
    }
  }

  private void deliver() {
    if (delivering) {
      return; // the outer call goes on with what this one would do
    }
    delivering = true;
    try {
      drain();
    } finally {
      delivering = false;
    }
    if (ended && !closed && queue.isEmpty() && demand > 0 && eventHandler != null) {
      tellEnd();
    } else {
      steer();
    }
  }

  private void drain() {
    while (demand > 0 && eventHandler != null) {
      TokenEvent event = queue.poll();
      if (event == null) {
        return;
      }
      if (demand != Long.MAX_VALUE) {
        demand--;
      }
      try {
        eventHandler.handle(event);
      } catch (RuntimeException broken) {
        giveUp(broken);
      }
    }
  }

  private void giveUp(RuntimeException broken) {
    Handler<Throwable> handler = exceptionHandler;
    if (!closed) {
      cancel();
      if (handler != null) {
        handler.handle(new GatewayError(
            GatewayError.Code.INTERNAL, "The answer could not be handed on.", broken));
      }
    }
  }

  private void tellEnd() {
    Handler<Void> onEnd = endHandler;
    Handler<Throwable> onFailure = exceptionHandler;
    GatewayError error = failure;
    close();
    if (error != null && onFailure != null) {
      onFailure.handle(error);
    } else if (error == null && onEnd != null) {
      onEnd.handle(null);
    }
  }

  private void close() {
    closed = true;
    queue.clear();
    eventHandler = null;
    exceptionHandler = null;
    endHandler = null;
  }

  private void steer() {
    boolean wanted = demand > 0 && queue.isEmpty() && !ended && !closed && eventHandler != null;
    if (wanted != flowing) {
      flowing = wanted;
      if (wanted) {
        source.resume();
      } else if (!ended && !closed) {
        source.pause();
      }
    }
  }
}
