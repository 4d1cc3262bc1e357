package dev.askgateway.provider.route;

import dev.askgateway.core.Rule;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every provider, model and profile that can be asked (spec D1 to D3), each by its name. If one of
 * these exists, its parts fit together: a profile's models may stand in for each other.
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
    for (ModelConfig model : models.values()) {
      requireKind(model, serverOf(model, providers));
    }
    for (Profile profile : profiles.values()) {
      requireFit(profile, models, providers);
    }
  }

  /** Checks that each of a profile's models is there and may stand in for the others. */
  public static void requireFit(
      Profile profile, Map<String, ModelConfig> models, Map<String, ProviderConfig> providers) {
    ModelConfig first = modelOf(profile, profile.models().get(0), models);
    for (String id : profile.models()) {
      ModelConfig model = modelOf(profile, id, models);
      requireFit(profile, model, serverOf(model, providers), first);
    }
  }

  private static ProviderConfig serverOf(ModelConfig model, Map<String, ProviderConfig> providers) {
    return known(
        providers,
        model.provider(),
        "models." + model.id() + ".provider",
        "one of " + String.join(", ", providers.keySet()));
  }

  private static ModelConfig modelOf(Profile profile, String id, Map<String, ModelConfig> models) {
    return known(
        models,
        id,
        "profiles." + profile.name() + ".models",
        "names under models; " + id + " is none");
  }

  private static <T> T known(Map<String, T> all, String name, String key, String rule) {
    T one = all.get(name);
    if (one == null) {
      throw new IllegalArgumentException(key + " is " + name + "; it must be " + rule);
    }
    return one;
  }

  /** Checks that its provider can do what it does: some wire formats only answer, some only embed. */
  public static void requireKind(ModelConfig model, ProviderConfig provider) {
    String rule =
        switch (provider.dialect()) {
          case ANTHROPIC, EXTRACTIVE -> model.capabilities().embeds() ? "0" : "";
          case ONNX -> model.capabilities().embeds() ? "" : "the length of its vectors";
          case OPENAI, GEMINI -> "";
        };
    Rule.require(
        rule.isEmpty(),
        "models." + model.id() + ".embeddingDimensions",
        model.capabilities().embeddingDimensions(),
        rule + " for the dialect " + provider.dialect().wire());
  }

  private static void requireFit(
      Profile profile, ModelConfig model, ProviderConfig provider, ModelConfig first) {
    requireModels(
        profile,
        provider.satisfies(profile.policy()),
        "models within its mode, retention and region; " + model.id() + " is not");
    requireModels(
        profile,
        profile.needs().metBy(model.capabilities()),
        "models that can do what it needs; " + model.id() + " cannot");
    requireModels(
        profile,
        model.capabilities().embeddingDimensions() == first.capabilities().embeddingDimensions(),
        "models that all answer, or all embed with vectors of one length; " + model.id()
            + " differs");
  }

  private static void requireModels(Profile profile, boolean holds, String rule) {
    Rule.require(holds, "profiles." + profile.name() + ".models", profile.models(), rule);
  }

  public ProviderConfig providerOf(ModelConfig model) {
    return serverOf(model, providers);
  }

  /**
   * Whether the second profile may answer what the first is asked: both answer, and what may be told to the
   * first may be told to all of the second's models (spec D2).
   */
  public boolean mayReplace(String control, String candidate) {
    Profile first = profiles.get(control);
    Profile second = profiles.get(candidate);
    return first != null
        && second != null
        && !embeds(control)
        && !embeds(candidate)
        && second.models().stream()
            .map(id -> Objects.requireNonNull(models.get(id), "checked when it was made"))
            .allMatch(model -> providerOf(model).satisfies(first.policy()));
  }

  /** Whether the profile or model of that name makes vectors and answers nothing. */
  public boolean embeds(String name) {
    Profile profile = profiles.get(name);
    ModelConfig model = models.get(profile == null ? name : profile.models().get(0));
    return model != null && model.capabilities().embeds(); // a profile's models are all alike
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    return all.stream()
        .collect(Collectors.toMap(name, one -> one, (a, b) -> b, LinkedHashMap::new));
  }
}
