package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.store.ConnectionRepository.Found;
import dev.askgateway.store.ConnectionRepository.Model;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The models people brought themselves. A plan of one's own has that one candidate: what a person gave
 * to their own provider never goes to a managed model because theirs is away (facts 1.4).
 */
public final class OwnModels {
  /** What nobody knows of a model that was asked for by its name: its vendor decides. */
  private static final int UNKNOWN_CONTEXT = 2_000_000;

  private static final int UNKNOWN_OUTPUT = 8_192;

  /** One call, and one more when it failed before its first output. */
  private static final int ATTEMPTS = 2;

  private final OwnProviders providers;
  private final Deadlines deadlines;

  public OwnModels(OwnProviders providers, Deadlines deadlines) {
    this.providers = providers;
    this.deadlines = deadlines;
  }

  /** Whether a usage row's provider is a person's own: it costs the gateway and the allowance nothing. */
  public static boolean isOwn(String providerName) {
    return Vendor.isProviderName(providerName);
  }

  /**
   * The person's own model for a task, or by its full name.
   *
   * @param name a task's role, or {@code own/CONNECTION/MODEL}
   * @return empty when the person set nothing for that task. Fails with {@code NOT_FOUND} for a name
   *     that leads to nothing of theirs, {@code CONTEXT_TOO_LARGE} when the request does not fit, and
   *     {@code NO_PROVIDER} when what they set is revoked: the task is refused then until they choose
   *     again
   */
  public Future<Optional<Plan>> plan(UserId user, String name, Needs needs, Plan.Commit commit) {
    if (OwnModelName.isOne(name)) {
      return named(user, name, needs, commit).map(Optional::of);
    }
    if (!providers.config().enabled()) {
      return Future.succeededFuture(Optional.empty());
    }
    return providers
        .connections()
        .ofTask(user, name)
        .map(set -> set.map(found -> {
          Model model = found.model();
          if (model == null || !model.enabled() || found.secret() == null) {
            throw revoked();
          }
          return plan(
              user,
              name,
              found,
              model(found, model.id(), model.contextTokens(), model.outputTokens()),
              needs,
              commit);
        }));
  }

  /** Plans with the person's own model where there is one, else as the other does. */
  public Planner before(Planner managed) {
    return (user, name, needs, commit) -> plan(user, name, needs, commit)
        .compose(own -> own.map(Future::succeededFuture)
            .orElseGet(() -> managed.plan(user, name, needs, commit)));
  }

  private Future<Plan> named(UserId user, String name, Needs needs, Plan.Commit commit) {
    if (!providers.config().enabled()) {
      return Future.failedFuture(GatewayError.notFound("model"));
    }
    OwnModelName wanted;
    try {
      wanted = OwnModelName.of(name);
    } catch (GatewayError unknown) {
      return Future.failedFuture(unknown);
    }
    int output = Math.min(UNKNOWN_CONTEXT, Math.max(UNKNOWN_OUTPUT, needs.outputTokens()));
    return providers.connections().find(user, wanted.connection()).map(there -> {
      Found found = there.orElseThrow(() -> GatewayError.notFound("model"));
      if (found.secret() == null) {
        throw revoked();
      }
      return plan(
          user,
          "own", // the full name would make a label of everybody's
          found,
          model(found, wanted.model(), UNKNOWN_CONTEXT, output),
          needs,
          commit);
    });
  }

  private Plan plan(
      UserId user, String name, Found found, ModelConfig model, Needs needs, Plan.Commit commit) {
    if (!needs.metBy(model.capabilities())) {
      throw new GatewayError(
          Code.CONTEXT_TOO_LARGE, "The question and its context are too long for the model.");
    }
    Candidate only = Candidate.of(providers.provider(user, found, model));
    return new Plan(name, List.of(only), commit, deadlines, ATTEMPTS, Duration.ZERO, () -> false);
  }

  /** A model of which only its limits are known. It gets no temperature: some take none but theirs. */
  static ModelConfig model(Found found, String id, int contextTokens, int outputTokens) {
    Vendor vendor = OwnProviders.vendor(found);
    return new ModelConfig(
        id,
        vendor.providerName(),
        id,
        new Capabilities(contextTokens, outputTokens, true, true, true, true, false, 0),
        vendor.maxTokensMember(found.baseUrl() == null),
        false);
  }

  private static GatewayError revoked() {
    return new GatewayError(
        Code.NO_PROVIDER, "The connection of your own model is revoked; choose another model.");
  }
}
