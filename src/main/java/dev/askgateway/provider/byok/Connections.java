package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.http.AddressGuard;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.ConnectionRepository.Found;
import dev.askgateway.store.ProfileRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * People's own connections: made, tested, given new secrets, revoked; and which of their models serves
 * what. Secrets come in and never out. Somebody else's is not found, and so is everything while own
 * keys are switched off.
 */
public final class Connections {
  /** Fewer characters than this show none of them. */
  private static final int LEAST_FOR_A_TAIL = 12;

  private static final int TAIL = 4;
  private static final int MOST_NAME = 80;

  private final Vertx vertx;
  private final OwnProviders providers;
  private final ConnectionRepository connections;
  private final ProfileRepository profiles;
  private final BaseUrls baseUrls;
  private final ModelSwitch models;

  /** @param models while it is off, no connection is tested */
  public Connections(
      Vertx vertx,
      OwnProviders providers,
      ProfileRepository profiles,
      AddressGuard guard,
      ModelSwitch models) {
    this.vertx = vertx;
    this.models = models;
    this.providers = providers;
    this.connections = providers.connections();
    this.profiles = profiles;
    this.baseUrls = new BaseUrls(guard);
  }

  /**
   * What a person hands in.
   *
   * @param displayName null: the provider's name
   * @param baseUrl null: the provider's own address
   */
  public record Draft(
      String providerType,
      @Nullable String displayName,
      @Nullable String baseUrl,
      String secret) {

    @Override
    public String toString() {
      return "Draft[" + providerType + "]";
    }
  }

  /** Keeps a new connection, untested. */
  public Future<JsonObject> create(UserId user, Draft draft) {
    return whenEnabled(() -> {
      Vendor vendor = Vendor.ofWire(draft.providerType())
          .orElseThrow(() -> GatewayError.invalid(
              "/providerType", "The provider is openai, anthropic or gemini."));
      String name = name(draft.displayName(), vendor);
      checkSecret(draft.secret());
      UUID id = UUID.randomUUID();
      return address(draft.baseUrl())
          .compose(checked -> connections.create(
              user,
              new ConnectionRepository.New(
                  id,
                  vendor.wire(),
                  name,
                  draft.baseUrl(),
                  seal(user, id, vendor, draft.baseUrl(), draft.secret()))));
    });
  }

  public Future<List<JsonObject>> list(UserId user) {
    return whenEnabled(() -> connections.list(user));
  }

  public Future<JsonObject> get(UserId user, UUID id) {
    return whenEnabled(() -> connections.get(user, id));
  }

  /**
   * Calls a model once and keeps what came of it.
   *
   * @param model its id at the provider
   * @return the connection; fails with {@code MODELS_OFF} while models are switched off, and nothing is kept then
   */
  public Future<JsonObject> test(UserId user, UUID id, String model) {
    return whenEnabled(() -> {
          requireModel(model);
          return usable(user, id).compose(found -> models
              .allowed()
              .compose(may -> KeyTest.run(
                  vertx, providers.provider(user, found, OwnModels.model(found, model, 4_096, 1))))
              .compose(outcome -> connections.note(
                  user,
                  id,
                  found.secretVersion(),
                  outcome.status(),
                  outcome.errorCode(),
                  outcome.capabilities())));
        })
        .compose(noted -> connections.get(user, id));
  }

  /** Puts a new secret in the old one's place; it is untested again. */
  public Future<JsonObject> rotateSecret(UserId user, UUID id, String secret) {
    return whenEnabled(() -> {
      checkSecret(secret);
      return usable(user, id)
          .compose(found -> connections.rotate(
              user, id, seal(user, id, OwnProviders.vendor(found), found.baseUrl(), secret)));
    });
  }

  /** Deletes the secret for good and refuses the tasks of its models. Safe to repeat. */
  public Future<JsonObject> revoke(UserId user, UUID id) {
    return whenEnabled(() -> connections.revoke(user, id));
  }

  public Future<List<JsonObject>> profiles(UserId user) {
    return whenEnabled(() -> profiles.list(user));
  }

  /** Lets a model of one's own serve a task. */
  public Future<JsonObject> putProfile(
      UserId user, String taskRole, ProfileRepository.Choice choice) {
    return whenEnabled(() -> {
      requireModel(choice.model());
      if (choice.outputTokens() > choice.contextTokens()) {
        throw GatewayError.invalid("/outputTokens", "The output is part of the context.");
      }
      return profiles.put(user, taskRole, choice);
    });
  }

  /** Gives a task back to the gateway's own models. */
  public Future<Void> deleteProfile(UserId user, String taskRole) {
    return whenEnabled(() -> profiles.delete(user, taskRole));
  }

  /** A revoked connection has nothing left to test or replace. */
  private Future<Found> usable(UserId user, UUID id) {
    return connections.find(user, id).compose(found -> found
        .filter(one -> one.secret() != null)
        .map(Future::succeededFuture)
        .orElseGet(() -> Future.failedFuture(GatewayError.notFound("connection"))));
  }

  private Future<Void> address(@Nullable String baseUrl) {
    if (baseUrl == null) {
      return Future.succeededFuture();
    }
    return providers.config().customBaseUrls()
        ? baseUrls.check(baseUrl)
        : Future.failedFuture(BaseUrls.invalid("Own addresses are not possible here."));
  }

  private ConnectionRepository.Sealed seal(
      UserId user, UUID id, Vendor vendor, @Nullable String baseUrl, String secret) {
    SecretBox.Sealed sealed =
        providers.box().seal(OwnProviders.owner(user, id, vendor, baseUrl), secret);
    String tail =
        secret.length() < LEAST_FOR_A_TAIL ? null : secret.substring(secret.length() - TAIL);
    return new ConnectionRepository.Sealed(sealed.bytes(), sealed.keyId(), tail);
  }

  private static String name(@Nullable String raw, Vendor vendor) {
    String name = raw == null ? vendor.wire() : SafeText.clean(raw).strip();
    if (name.isEmpty() || name.codePointCount(0, name.length()) > MOST_NAME) {
      throw GatewayError.invalid("/displayName", "A name is 1 to 80 characters long.");
    }
    return name;
  }

  private static void checkSecret(String secret) {
    if (secret.length() < 8
        || secret.length() > 500
        || !secret.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
      throw GatewayError.invalid(
          "/secret", "A key is 8 to 500 visible ASCII characters without blanks.");
    }
  }

  private static void requireModel(String model) {
    if (!OwnModelName.isModel(model)) {
      throw GatewayError.invalid(
          "/model", "A model's id is letters, digits and . _ - / :, at most 120.");
    }
  }

  private <T> Future<T> whenEnabled(Supplier<Future<T>> work) {
    if (!providers.config().enabled()) {
      return Future.failedFuture(GatewayError.notFound("connection"));
    }
    try {
      return work.get();
    } catch (GatewayError refused) {
      return Future.failedFuture(refused);
    }
  }
}
