package dev.askgateway.provider.sse;

import dev.askgateway.core.TokenEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the events of one vendor mean. Pure: no I/O, no clock. Keeps the state of one response.
 *
 * <p>Every method may throw a {@link dev.askgateway.core.GatewayError} with a {@link
 * dev.askgateway.provider.ProviderFailure} as its cause: the response is lost then.
 */
public interface SseDialect {

  /** Reads an event. */
  void event(SseEvent event, Consumer<TokenEvent> out);

  /** Reads a line that is no part of an event stream. */
  void stray(String line, Consumer<TokenEvent> out);

  /** Whether the end marker has been read: what follows counts for nothing. */
  boolean done();

  /** Whether the model said why it stopped: only usage and the end marker may follow. */
  boolean finishing();

  /**
   * Reads the end: returns for an answer that is whole, throws for one that is not.
   *
   * @param pending the last event if no blank line closed it
   */
  void end(@Nullable SseEvent pending, Consumer<TokenEvent> out);
}
