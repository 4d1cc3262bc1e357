package dev.askgateway.provider.gate;

import dev.askgateway.core.TokenEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt says before it is chosen, in order: reasoning joined, of usage the last. Bounded:
 * reasoning beyond the bound is dropped, of anything else nothing may be.
 */
final class Held {
  /** Characters, of chunks bytes. */
  private static final int MOST = 256 << 10;

  /** What an event costs beside its text. */
  private static final int OVERHEAD = 64;

  private final List<TokenEvent> events = new ArrayList<>();
  private final StringBuilder reasoning = new StringBuilder();
  private TokenEvent.@Nullable Metered usage;
  private int size;

  /**
   * Keeps an event.
   *
   * @param length of what is in it
   * @return false: there is no room for it, and it may not be lost
   */
  boolean add(TokenEvent event, int length) {
    if (event instanceof TokenEvent.Reasoning piece) {
      if (size + length <= MOST) {
        size += length;
        reasoning.append(piece.delta());
      }
      return true;
    }
    if (event instanceof TokenEvent.Metered metered) {
      usage = metered;
      return true;
    }
    int costs =
        OVERHEAD + (event instanceof TokenEvent.Chunk chunk ? chunk.json().length() : length);
    if (size + costs > MOST) {
      return false;
    }
    size += costs;
    close();
    events.add(event);
    return true;
  }

  /** Hands everything on, and holds nothing more. */
  void release(Consumer<TokenEvent> taker) {
    close();
    events.forEach(taker);
    events.clear();
  }

  private void close() {
    if (!reasoning.isEmpty()) {
      events.add(new TokenEvent.Reasoning(reasoning.toString()));
      reasoning.setLength(0);
    }
    if (usage != null) {
      events.add(usage);
      usage = null;
    }
  }
}
