package dev.askgateway.provider.byok;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.byok.SecretBox.CannotOpen;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.ConnectionRepository.Found;
import io.vertx.core.buffer.Buffer;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals what people hand in, and opens it where a call is built: nowhere else, and for that call only. */
public final class OwnProviders {
  private static final Logger LOG = LoggerFactory.getLogger(OwnProviders.class);
  private static final DataPolicy POLICY =
      new DataPolicy(DataPolicy.Mode.BYOK, DataPolicy.Retention.PROVIDER_POLICY, "");

  private final ByokConfig config;
  private final SecretBox box;
  private final ConnectionRepository connections;
  private final ProviderFactory factory;
  private final Function<Vendor, String> addresses;

  /**
   * Callers of people's own models.
   *
   * @param factory makes callers over a client with an {@link
   *     dev.askgateway.provider.http.AddressGuard}
   */
  public OwnProviders(
      ByokConfig config, ConnectionRepository connections, ProviderFactory factory) {
    this(config, connections, factory, Vendor::address);
  }

  /** With other servers in the vendors' places. */
  OwnProviders(
      ByokConfig config,
      ConnectionRepository connections,
      ProviderFactory factory,
      Function<Vendor, String> addresses) {
    this.config = config;
    this.box = new SecretBox(config);
    this.connections = connections;
    this.factory = factory;
    this.addresses = addresses;
  }

  ByokConfig config() {
    return config;
  }

  SecretBox box() {
    return box;
  }

  ConnectionRepository connections() {
    return connections;
  }

  /** What a secret is bound to. */
  static SecretBox.Owner owner(
      UserId user, UUID connection, Vendor vendor, @Nullable String baseUrl) {
    return new SecretBox.Owner(
        user, connection, vendor.wire() + " " + (baseUrl == null ? "" : baseUrl));
  }

  static Vendor vendor(Found found) {
    return Vendor.ofWire(found.providerType())
        .orElseThrow(() -> new IllegalStateException("the table has seen to it"));
  }

  /** A caller of the model that opens the secret when it is called. */
  ModelProvider provider(UserId user, Found found, ModelConfig model) {
    return new OwnProvider(this, user, found, vendor(found), model);
  }

  /** The caller with its key: to be used at once and let go. */
  ModelProvider open(UserId user, Found found, ModelConfig model) {
    String baseUrl = found.baseUrl();
    if (baseUrl != null && !config.customBaseUrls()) {
      throw ProviderFailure.error(Kind.ACCOUNT, "own addresses are switched off");
    }
    Vendor vendor = vendor(found);
    return factory.answering(
        new ProviderConfig(
            vendor.providerName(),
            vendor.dialect(),
            baseUrl == null ? addresses.apply(vendor) : baseUrl,
            secret(user, found),
            vendor.keyHeader(),
            true,
            POLICY,
            0),
        model);
  }

  private String secret(UserId user, Found found) {
    Buffer bytes = found.secret();
    String keyId = found.keyId();
    if (bytes == null || keyId == null) {
      throw ProviderFailure.error(Kind.ACCOUNT, "the connection is revoked");
    }
    SecretBox.Owner owner = owner(user, found.id(), vendor(found), found.baseUrl());
    SecretBox.Sealed sealed = new SecretBox.Sealed(bytes, keyId);
    try {
      String secret = box.open(owner, sealed);
      if (box.isOld(sealed)) {
        SecretBox.Sealed fresh = box.seal(owner, secret);
        connections
            .reseal(user, found.id(), bytes, fresh.bytes(), fresh.keyId())
            .onFailure(failure -> LOG.warn(
                "connection {} keeps its old seal: {}",
                found.id(),
                failure.getClass().getSimpleName()));
      }
      return secret;
    } catch (CannotOpen closed) {
      LOG.error("connection {} cannot be used: {}", found.id(), closed.getMessage());
      throw ProviderFailure.error(Kind.ACCOUNT, "the secret does not open");
    }
  }
}
