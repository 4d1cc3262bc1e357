package dev.askgateway.config;

import dev.askgateway.answer.PlannerConfig;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.route.Catalogue;
import java.net.URI;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The models that can be asked and what they cost. */
public record ModelSettings(Catalogue catalogue, PriceBook prices) {
  /** What answers without a model are filed under. */
  private static final String NO_PROVIDER = "deterministic";

  /** The names that providers have in metrics and usage rows. */
  public Set<String> providerNames() {
    Set<String> names = new HashSet<>(catalogue.providers().keySet());
    names.add(NO_PROVIDER);
    return Set.copyOf(names);
  }

  /** The names of models and profiles, and the models' ids at their servers. */
  Set<String> names() {
    Set<String> names = new HashSet<>(catalogue.models().keySet());
    names.addAll(catalogue.profiles().keySet());
    catalogue.models().values().forEach(model -> names.add(model.model()));
    return names;
  }

  /** Every model as metrics and logs name it, "provider:model". */
  public Set<String> modelNames() {
    return catalogue.models().values().stream()
        .map(model ->
            model.provider() + ":" + (isQuoting(model) ? ExtractiveProvider.MODEL : model.model()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isQuoting(ModelConfig model) {
    return catalogue.providerOf(model).dialect() == Dialect.EXTRACTIVE;
  }

  /** The servers that are asked, "host:port". */
  public Set<String> servers() {
    return catalogue.providers().values().stream()
        .filter(provider -> !provider.isInProcess())
        .map(provider -> URI.create(provider.baseUrl()))
        .map(at -> at.getHost() + ":" + (at.getPort() < 0 ? defaultPort(at) : at.getPort()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static int defaultPort(URI at) {
    return "http".equalsIgnoreCase(at.getScheme()) ? 80 : 443;
  }

  /** The profile of the model that an index begins with. */
  public static final String MESSAGES = "embedding_messages";

  /** The profile of the model that the index moves to, or came from. */
  public static final String MESSAGES_NEXT = "embedding_messages_next";

  /** The longest vectors that the database's index takes (pgvector, HNSW on {@code vector}). */
  private static final int MOST_DIMENSIONS = 2_000;

  /** The profiles of messages' vectors, that of an index that begins first. */
  public List<Profile> messageProfiles() {
    return Stream.of(MESSAGES, MESSAGES_NEXT)
        .map(catalogue.profiles()::get)
        .filter(Objects::nonNull)
        .toList();
  }

  /** Whether the model in this process embeds messages. */
  public boolean embedsHere() {
    return messageProfiles().stream()
        .flatMap(profile -> profile.models().stream())
        .map(catalogue.models()::get)
        .filter(Objects::nonNull)
        .anyMatch(model -> catalogue.providerOf(model).isInProcess());
  }

  /** Checks that messages can be embedded: by one model each, as vectors of two models never mix. */
  void requireMessageModels() {
    for (Profile profile : messageProfiles()) {
      String key = "profiles." + profile.name() + ".models";
      Rule.require(
          profile.models().size() == 1,
          key,
          profile.models(),
          "one model, as vectors of two never mix; the next one is that of " + MESSAGES_NEXT);
      int dimensions = dimensions(profile.models().get(0));
      Rule.require(dimensions > 0, key, profile.models(), "a model that embeds");
      Rule.require(
          dimensions <= MOST_DIMENSIONS,
          "models." + profile.models().get(0) + ".embeddingDimensions",
          dimensions,
          "at most " + MOST_DIMENSIONS + " for messages, which the vector index holds");
    }
    List<String> all =
        messageProfiles().stream().flatMap(one -> one.models().stream()).toList();
    Rule.require(
        new HashSet<>(all).size() == all.size(),
        "profiles." + MESSAGES_NEXT + ".models",
        all,
        "another model than that of " + MESSAGES);
  }

  private int dimensions(String model) {
    ModelConfig config = catalogue.models().get(model);
    return config == null ? 0 : config.capabilities().embeddingDimensions();
  }

  /** Whether there is a model to plan questions with. */
  boolean hasPlanner() {
    return catalogue.profiles().containsKey(PlannerConfig.PROFILE);
  }

  /** The profile that one request may keep busy for longest. */
  Optional<Profile> longest() {
    return catalogue.profiles().values().stream()
        .max(Comparator.comparing(profile -> profile.deadlines().total()));
  }
}
