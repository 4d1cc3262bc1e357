package dev.askgateway.provider.extractive;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands out events that are known already, one for each turn of the event loop and only as many as
 * were asked for. Paused at first; used on its context alone.
 */
final class PreparedStream implements TokenStream {
  private final Context context;
  private final Deque<TokenEvent> events;
  private @Nullable Handler<TokenEvent> handler;
  private @Nullable Handler<Void> endHandler;
  private long demand;
  private boolean paused = true;
  private boolean scheduled;
  private boolean done;

  PreparedStream(Context context, List<TokenEvent> events) {
    this.context = context;
    this.events = new ArrayDeque<>(events);
  }

  @Override
  public void cancel() {
    done = true;
    events.clear();
  }

  /** Never called: what is prepared cannot break. */
  @Override
  public TokenStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    return this;
  }

  @Override
  public TokenStream handler(@Nullable Handler<TokenEvent> handler) {
    this.handler = handler;
    schedule();
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
    paused = true;
    return this;
  }

  @Override
  public TokenStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public TokenStream fetch(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("cannot fetch " + amount + " events");
    }
    demand = amount > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + amount;
    paused = paused && amount == 0;
    schedule();
    return this;
  }

  private void schedule() {
    if (!scheduled && !done && demand > 0 && handler != null) {
      scheduled = true;
      context.runOnContext(turn -> next());
    }
  }

  private void next() {
    scheduled = false;
    Handler<TokenEvent> reader = handler;
    if (done || demand == 0 || reader == null) {
      return;
    }
    TokenEvent event = events.poll();
    if (event == null) {
      end();
      return;
    }
    demand = demand == Long.MAX_VALUE ? demand : demand - 1;
    reader.handle(event);
    if (events.isEmpty() && !done && !paused) {
      end(); // an end needs no demand of its own
    } else {
      schedule();
    }
  }

  private void end() {
    done = true;
    Handler<Void> last = endHandler;
    if (last != null) {
      last.handle(null);
    }
  }
}
