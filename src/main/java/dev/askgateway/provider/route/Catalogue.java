package dev.askgateway.provider.route;

import dev.askgateway.core.Rule;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every provider, model and profile that is configured (spec D1 to D3), each by its name. If one of
 * these exists, its parts fit together.
 */
public record Catalogue(
    Map<String, ProviderConfig> providers,
    Map<String, ModelConfig> models,
    Map<String, Profile> profiles) {

  /** Keeps the order of the lists, which is the order they are listed in. */
  public static Catalogue of(
      List<ProviderConfig> providers, List<ModelConfig> models, List<Profile> profiles) {
    return new Catalogue(
        byName(providers, ProviderConfig::name),
        byName(models, ModelConfig::id),
        byName(profiles, Profile::name));
  }

  public Catalogue {
    Map<String, ProviderConfig> known = providers;
    models
        .values()
        .forEach(model -> Rule.require(
            known.containsKey(model.provider()),
            "models." + model.id() + ".provider",
            model.provider(),
            "one of providers"));
    Map<String, ModelConfig> there = models;
    profiles.values().forEach(profile -> profile
        .models()
        .forEach(id -> Rule.require(
            there.containsKey(id), "profiles." + profile.name() + ".models", id, "one of models")));
  }

  public ProviderConfig providerOf(ModelConfig model) {
    ProviderConfig provider = providers.get(model.provider());
    if (provider == null) {
      throw new IllegalStateException("the constructor has seen to it");
    }
    return provider;
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    return all.stream()
        .collect(Collectors.toMap(name, one -> one, (a, b) -> b, LinkedHashMap::new));
  }
}
