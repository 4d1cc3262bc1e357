package dev.askgateway.cli;

import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Vertx;

/** Makes models that can be asked: what {@code provider check} needs of whoever knows every wire format. */
@FunctionalInterface
public interface Checks {

  /** Models whose connections end with this Vert.x. */
  ProviderFactory models(Vertx vertx, ClientLimits limits);
}
