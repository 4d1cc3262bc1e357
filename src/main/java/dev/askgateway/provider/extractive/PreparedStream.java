package dev.askgateway.provider.extractive;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.TokenPump;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The source of events that are known already: one for each turn of the event loop, and none while
 * the reader wants none. Used on its context alone.
 */
final class PreparedStream implements TokenPump.Source {
  private final Context context;
  private final Deque<TokenEvent> events;
  private final TokenPump pump = new TokenPump(this);
  private boolean flowing;
  private boolean scheduled;

  private PreparedStream(Context context, List<TokenEvent> events) {
    this.context = context;
    this.events = new ArrayDeque<>(events);
  }

  /** These events as a stream, paused at first, that ends well after the last. */
  static TokenStream of(Context context, List<TokenEvent> events) {
    return new PreparedStream(context, events).pump;
  }

  @Override
  public void resume() {
    flowing = true;
    schedule();
  }

  @Override
  public void pause() {
    flowing = false;
  }

  @Override
  public void cancel() {
    flowing = false;
    events.clear();
  }

  private void schedule() {
    if (flowing && !scheduled) {
      scheduled = true;
      context.runOnContext(turn -> next());
    }
  }

  private void next() {
    scheduled = false;
    if (!flowing) {
      return;
    }
    TokenEvent event = events.poll();
    if (event != null) {
      pump.offer(event);
    }
    if (events.isEmpty()) {
      pump.end();
    } else {
      schedule();
    }
  }
}
