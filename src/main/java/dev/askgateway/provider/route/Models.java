package dev.askgateway.provider.route;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The models that can be asked, by profile or by their own ids. Shared by all event loops. */
public final class Models {
  private final Catalogue catalogue;
  private final PriceBook prices;
  private final Map<String, Candidate> answering = new HashMap<>();
  private final Map<String, EmbeddingModel> embedding = new HashMap<>();

  public Models(Catalogue catalogue, ProviderFactory factory, PriceBook prices) {
    this.catalogue = catalogue;
    this.prices = prices;
    catalogue.models().forEach((id, model) -> {
      if (model.capabilities().embeds()) {
        embedding.put(id, factory.embedding(catalogue.providerOf(model), model));
      } else {
        answering.put(id, Candidate.of(factory.answering(catalogue.providerOf(model), model)));
      }
    });
  }

  /**
   * Who may answer a request, in order.
   *
   * @param name a profile, or a model's id
   * @throws GatewayError {@code NOT_FOUND} for an unknown name, {@code CONTEXT_TOO_LARGE} when the
   *     request fits into none of its models, {@code NO_PROVIDER} when none can do what it needs
   */
  public Plan plan(String name, Needs needs, Plan.Commit commit) {
    Profile profile = catalogue.profiles().get(name);
    if (profile == null) {
      throw GatewayError.notFound("model");
    }
    List<Candidate> candidates = profile.models().stream()
        .filter(id -> needs.metBy(model(id).capabilities()))
        .map(answering::get)
        .toList();
    if (candidates.isEmpty()) {
      throw new GatewayError(Code.NO_PROVIDER, "No model can do what this request needs.");
    }
    return new Plan(
        name,
        candidates,
        commit,
        profile.deadlines(),
        profile.attempts(),
        Duration.ZERO,
        () -> false);
  }

  /** The embedding model of that id or profile. */
  public Optional<EmbeddingModel> embedding(String name) {
    return Optional.ofNullable(embedding.get(name));
  }

  /** The most a request can cost if the dearest of its models answers it, micro-USD. */
  public long worstCaseMicroUsd(Plan plan, long inputTokens, long outputTokens) {
    return plan.parallel()
        * plan.candidates().stream()
            .mapToLong(candidate -> prices.worstCaseMicroUsd(
                candidate.provider().name(),
                candidate.provider().model(),
                inputTokens,
                outputTokens))
            .max()
            .orElse(0);
  }

  public Catalogue catalogue() {
    return catalogue;
  }

  private ModelConfig model(String id) {
    ModelConfig model = catalogue.models().get(id);
    if (model == null) {
      throw new IllegalStateException("the catalogue has seen to it");
    }
    return model;
  }
}
