package dev.askgateway.provider;

import dev.askgateway.core.TokenStream;
import io.vertx.core.Future;

/** A provider whose call can be given up while it is still being opened, so that nobody pays for it. */
public interface AbortableProvider extends ModelProvider {

  /** Starts the call, on the caller's event loop. */
  ModelCall start(ModelRequest request, Deadlines deadlines);

  @Override
  default Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
    return start(request, deadlines).opened();
  }
}
