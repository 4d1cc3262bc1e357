package dev.askgateway.provider;

import dev.askgateway.core.TokenStream;
import io.vertx.core.Future;

/** One upstream model. An adapter translates wire formats and decides nothing. */
public interface ModelProvider {

  /** The provider's configured name, for traces, usage rows and metrics. */
  String name();

  /** The model's id as the provider knows it. */
  String model();

  /** The wire format it speaks: what it can be told, and whether it answers in chunks. */
  Dialect dialect();

  /**
   * Calls the model, on the caller's event loop.
   *
   * @param deadlines of which the adapter keeps {@code connect} and {@code headers}
   * @return the stream, paused, once upstream accepted; or a {@link
   *     dev.askgateway.core.GatewayError} when it did not
   */
  Future<TokenStream> open(ModelRequest request, Deadlines deadlines);
}
