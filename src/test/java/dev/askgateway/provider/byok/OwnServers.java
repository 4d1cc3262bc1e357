package dev.askgateway.provider.byok;

import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.http.AddressGuard;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.HostLookup;
import dev.askgateway.provider.http.PublicAddresses;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiProvider;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.ProfileRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Base64;
import java.util.Map;

/** Own keys over a server of the test's in the vendors' places, on this machine. */
public final class OwnServers {
  public static final String OLD_KEY = key((byte) 1);
  public static final String NEW_KEY = key((byte) 2);
  public static final ByokConfig CONFIG =
      new ByokConfig(true, Map.of("old", OLD_KEY), "old", false, false);

  private OwnServers() {}

  private static String key(byte filling) {
    byte[] key = new byte[32];
    java.util.Arrays.fill(key, filling);
    return Base64.getEncoder().encodeToString(key);
  }

  /** A guard that lets tests reach this machine. */
  public static AddressGuard athome(Vertx vertx) {
    return new PublicAddresses(HostLookup.system(vertx), true);
  }

  /** A client behind that guard, to be held and closed by the test. */
  public static UpstreamClient client(Vertx vertx) {
    return UpstreamClient.guarded(vertx, ClientLimits.DEFAULT, athome(vertx));
  }

  /** Whatever the vendor, an OpenAI server at that address. */
  public static OwnProviders providers(
      ByokConfig config, Database database, UpstreamClient client, String address) {
    return new OwnProviders(
        config, new ConnectionRepository(database), new AllOpenAi(client), vendor -> address);
  }

  public static Connections connections(Vertx vertx, OwnProviders providers, Database database) {
    return connections(vertx, providers, database, models(vertx, false));
  }

  public static Connections connections(
      Vertx vertx, OwnProviders providers, Database database, ModelSwitch models) {
    return new Connections(
        vertx, providers, new ProfileRepository(database), athome(vertx), models);
  }

  private static ModelSwitch models(Vertx vertx, boolean off) {
    return new ModelSwitch(off, new ExtractiveProvider(vertx));
  }

  /** What a gateway has whose operator wants no own keys: nothing of it is ever called. */
  public static Connections disabled(Vertx vertx, Database database) {
    ProviderFactory none = new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
        throw new AssertionError("own keys are off");
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
        throw new AssertionError("own keys are off");
      }
    };
    AddressGuard nowhere = (host, port) -> Future.failedFuture("own keys are off");
    return new Connections(
        vertx,
        new OwnProviders(ByokConfig.DISABLED, new ConnectionRepository(database), none),
        new ProfileRepository(database),
        nowhere,
        models(vertx, true));
  }

  private record AllOpenAi(UpstreamClient client) implements ProviderFactory {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return new OpenAiProvider(client, provider, model);
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      throw new AssertionError("nobody embeds with own keys");
    }
  }
}
