package dev.askgateway.provider.route;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The models that can be asked, by profile or by their own ids. Shared by all event loops. */
public final class Models implements Planner {
  /** Calls for a request that names its model: one, and one repeat. */
  private static final int ATTEMPTS_OF_ONE = 2;

  private static final Plan.Hedging NO_HEDGE = () -> false;

  private final Catalogue catalogue;
  private final Ordering ordering;
  private final HealthBook health;
  private final Map<String, Served> answering = new HashMap<>();
  private final Map<String, EmbeddingModel> embedding = new HashMap<>();
  private final Map<String, Plan.Hedging> hedges = new HashMap<>();

  public Models(
      Catalogue catalogue, ProviderFactory factory, PriceBooks prices, HealthBook health) {
    this(catalogue, factory, prices, health, () -> ThreadLocalRandom.current().nextLong());
  }

  /** With a source of chance, which event loops share. */
  Models(
      Catalogue catalogue,
      ProviderFactory factory,
      PriceBooks prices,
      HealthBook health,
      RandomGenerator random) {
    this.catalogue = catalogue;
    this.ordering = new Ordering(prices, random);
    this.health = health;
    catalogue.models().forEach((id, model) -> {
      ProviderConfig provider = catalogue.providerOf(model);
      if (model.capabilities().embeds()) {
        embedding.put(id, factory.embedding(provider, model));
      } else {
        answering.put(
            id,
            new Served(
                model,
                factory.answering(provider, model),
                health.of(provider.name(), model.model())));
      }
    });
    catalogue
        .profiles()
        .forEach((name, profile) -> hedges.put(name, new HedgeBudget(profile.hedgeShare())));
  }

  @Override
  public Future<Plan> plan(UserId user, String name, Needs needs, Plan.Commit commit) {
    try {
      return Future.succeededFuture(plan(name, needs, commit));
    } catch (GatewayError refused) {
      return Future.failedFuture(refused);
    }
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
    if (profile != null) {
      List<Served> allowed =
          profile.models().stream().map(answering::get).filter(Objects::nonNull).toList();
      return plan(profile, eligible(allowed, needs), needs, commit);
    }
    Served model = answering.get(name);
    if (model == null && !embedding.containsKey(name)) {
      throw GatewayError.notFound("model");
    }
    List<Served> models = eligible(model == null ? List.of() : List.of(model), needs);
    return new Plan(
        name,
        List.copyOf(models),
        commit,
        Deadlines.DEFAULT,
        ATTEMPTS_OF_ONE,
        Duration.ZERO,
        NO_HEDGE);
  }

  private Plan plan(Profile profile, List<Served> models, Needs needs, Plan.Commit commit) {
    return new Plan(
        profile.name(),
        List.copyOf(ordering.of(profile.order(), models, needs)),
        commit,
        profile.deadlines(),
        profile.attempts(),
        profile.hedgeAfter(),
        hedges.getOrDefault(profile.name(), NO_HEDGE));
  }

  private static List<Served> eligible(List<Served> models, Needs needs) {
    List<Served> able = models.stream().filter(model -> model.can(needs)).toList();
    if (able.isEmpty()) {
      throw new GatewayError(Code.NO_PROVIDER, "No model can do what this request needs.");
    }
    List<Served> fitting = able.stream().filter(model -> model.fits(needs)).toList();
    if (fitting.isEmpty()) {
      throw ProviderFailure.error(Kind.TOO_LARGE, "fits into none of the models");
    }
    return fitting;
  }

  /** The embedding model of that id, or the first of that profile. */
  public Optional<EmbeddingModel> embedding(String name) {
    Profile profile = catalogue.profiles().get(name);
    if (profile == null) {
      return Optional.ofNullable(embedding.get(name));
    }
    return profile.models().stream().filter(embedding::containsKey).findFirst().map(embedding::get);
  }

  /** The embedders of these profiles, of the first model of each, in their order. */
  public List<ModelEmbedder> embedders(List<Profile> profiles) {
    return profiles.stream()
        .map(profile -> {
          ModelConfig first = model(profile.models().get(0));
          EmbeddingModel calls = Objects.requireNonNull(embedding.get(first.id()));
          int dimensions = first.capabilities().embeddingDimensions();
          return new ModelEmbedder(first.id(), 0, calls, dimensions, profile.deadlines());
        })
        .toList();
  }

  /**
   * Every name that can be asked for, profiles first, in the order they are configured; without what
   * only quotes evidence.
   */
  public List<ListedModel> list() {
    List<ListedModel> all = new ArrayList<>();
    catalogue.profiles().forEach((name, profile) -> {
      if (!profile.models().stream().allMatch(this::onlyQuotes)) {
        all.add(ListedModel.profile(name, capabilities(profile)));
      }
    });
    catalogue.models().forEach((id, model) -> {
      if (!catalogue.profiles().containsKey(id) && !onlyQuotes(id)) {
        all.add(new ListedModel(id, model.provider(), model.capabilities()));
      }
    });
    return all;
  }

  private boolean onlyQuotes(String id) {
    return catalogue.providerOf(model(id)).dialect() == Dialect.EXTRACTIVE;
  }

  private List<Capabilities> capabilities(Profile profile) {
    return profile.models().stream().map(id -> model(id).capabilities()).toList();
  }

  /**
   * The most a request can cost if the dearest of its models answers it, and the next dearest beside
   * it where it may be hedged, micro-USD.
   */
  public static long worstCaseMicroUsd(
      PriceBook prices, Plan plan, long inputTokens, long outputTokens) {
    return worstCaseMicroUsd(prices, plan, inputTokens, 0, outputTokens);
  }

  /**
   * The same with images.
   *
   * @param textTokens of the input but for images
   */
  public static long worstCaseMicroUsd(
      PriceBook prices, Plan plan, long textTokens, long imageTokens, long outputTokens) {
    return plan.candidates().stream()
        .map(Candidate::provider)
        .map(one -> prices.worstCaseMicroUsd(
            one.name(), one.model(), textTokens, imageTokens, outputTokens))
        .sorted(Comparator.reverseOrder())
        .limit(plan.parallel())
        .mapToLong(Long::longValue)
        .sum();
  }

  public Catalogue catalogue() {
    return catalogue;
  }

  /** The present state of each model, for a gauge. */
  public HealthBook health() {
    return health;
  }

  private ModelConfig model(String id) {
    ModelConfig model = catalogue.models().get(id);
    if (model == null) {
      throw new IllegalStateException("the catalogue has seen to it");
    }
    return model;
  }
}
