package dev.askgateway.core;

import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one model call, on one event loop, handed over paused.
 *
 * <p>Ends exactly once: the end handler after a clean answer, or the exception handler with a {@link
 * GatewayError} (cut short, timed out, broken) after which nothing follows.
 */
public interface TokenStream extends ReadStream<TokenEvent> {

  /** Stops the call and the bill. After it no handler is called. Safe to repeat and after the end. */
  void cancel();

  @Override
  TokenStream exceptionHandler(@Nullable Handler<Throwable> handler);

  @Override
  TokenStream handler(@Nullable Handler<TokenEvent> handler);

  @Override
  TokenStream pause();

  @Override
  TokenStream resume();

  @Override
  TokenStream fetch(long amount);

  @Override
  TokenStream endHandler(@Nullable Handler<Void> handler);
}
