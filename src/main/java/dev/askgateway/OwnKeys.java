package dev.askgateway;

import dev.askgateway.config.GatewayConfig;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.byok.OwnModels;
import dev.askgateway.provider.byok.OwnProviders;
import dev.askgateway.provider.http.AddressGuard;
import dev.askgateway.provider.http.HostLookup;
import dev.askgateway.provider.http.PublicAddresses;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxLoader;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.ProfileRepository;
import io.vertx.core.Vertx;

/**
 * People's own keys, wired: a client of their own, whose connections a guard admits one by one.
 *
 * @param client to be closed with the gateway
 */
record OwnKeys(UpstreamClient client, Connections connections, OwnModels models) {
  static OwnKeys of(
      Vertx vertx, GatewayConfig config, Database database, OnnxLoader onnx, ModelSwitch models) {
    AddressGuard guard =
        new PublicAddresses(HostLookup.system(vertx), config.byok().allowPrivateAddresses());
    UpstreamClient client = UpstreamClient.guarded(vertx, config.upstream(), guard);
    OwnProviders providers = new OwnProviders(
        config.byok(),
        new ConnectionRepository(database),
        models.over(new Dialects(vertx, client, onnx)));
    return new OwnKeys(
        client,
        new Connections(vertx, providers, new ProfileRepository(database), guard, models),
        new OwnModels(providers, Deadlines.DEFAULT));
  }
}
