package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.store.ConnectionRepository.Found;
import io.vertx.core.Future;

/** A person's own model. It holds the sealed secret; the open one lives as long as a call is built. */
record OwnProvider(
    OwnProviders providers, UserId user, Found found, Vendor vendor, ModelConfig config)
    implements AbortableProvider {

  @Override
  public String name() {
    return vendor.providerName();
  }

  @Override
  public String model() {
    return config.model();
  }

  @Override
  public Dialect dialect() {
    return vendor.dialect();
  }

  @Override
  public ModelCall start(ModelRequest request, Deadlines deadlines) {
    try {
      return ModelCall.start(providers.open(user, found, config), request, deadlines);
    } catch (GatewayError unusable) {
      return new ModelCall(Future.failedFuture(unusable), () -> {});
    }
  }

  @Override
  public String toString() {
    return "OwnProvider[" + name() + ", connection=" + found.id() + "]";
  }
}
