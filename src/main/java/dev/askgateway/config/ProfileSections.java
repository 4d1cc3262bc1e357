package dev.askgateway.config;

import dev.askgateway.core.Rule;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.route.Catalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The profiles that there are models for. From a shipped list those that are not set up are left out;
 * a list of a person's own stands as it is written.
 */
final class ProfileSections {
  private static final String GROUNDED = "assistant_grounded";
  private static final String QUOTE = "quote";

  private final Section sections;

  ProfileSections(Section root) {
    sections = root.section("profiles");
  }

  /** The models that lists of a person's own name. */
  Set<String> listed() {
    Set<String> listed = new HashSet<>();
    for (String name : sections.names()) {
      Section profile = sections.section(name);
      if (profile.isSet("models")) {
        listed.addAll(profile.list("models"));
      }
    }
    return listed;
  }

  /** @param faulty models about which there is something to tell already: nothing is told of them here */
  List<Profile> read(
      Map<String, ModelConfig> models, Map<String, ProviderConfig> providers, Set<String> faulty) {
    List<Profile> profiles = new ArrayList<>();
    for (String name : sections.names()) {
      Section section = sections.section(name);
      section
          .attempt(profile -> profile(name, profile, models, providers, faulty))
          .flatMap(there -> there)
          .filter(there -> !section.isFaulty())
          .ifPresent(profiles::add);
    }
    return profiles;
  }

  private static Optional<Profile> profile(
      String name,
      Section section,
      Map<String, ModelConfig> models,
      Map<String, ProviderConfig> providers,
      Set<String> faulty) {
    List<String> named = section.list("models");
    // A shipped name that waits for a model of the operator's; its keys are read like all others.
    boolean waits = !section.isChosen() && named.isEmpty();
    Profile whole = NamedSections.profile(name, section, waits ? List.of(QUOTE) : named);
    if (waits || section.isFaulty() || whole.models().stream().anyMatch(faulty::contains)) {
      return Optional.empty();
    }
    List<String> chosen = section.isSet("models")
        ? whole.models()
        : setUp(whole, section.isChosen(), models, providers);
    if (chosen.isEmpty()) {
      Rule.require(
          !section.isChosen(),
          "profiles." + name + ".models",
          whole.models(),
          "names under models of which one at least is set up");
      return Optional.empty();
    }
    if (chosen.stream().anyMatch(faulty::contains)) {
      return Optional.empty();
    }
    Profile profile = whole.withModels(chosen);
    Catalogue.requireFit(profile, models, providers);
    return Optional.of(profile);
  }

  /**
   * The models of a shipped list that are set up. Those that do not suit are left out only from a
   * profile that nobody asked for: the answers never fall back to quotes because of a policy.
   */
  private static List<String> setUp(
      Profile profile,
      boolean isChosen,
      Map<String, ModelConfig> models,
      Map<String, ProviderConfig> providers) {
    boolean grounded = profile.name().equals(GROUNDED);
    List<String> left = profile.models().stream()
        .filter(models::containsKey)
        .filter(id -> isChosen || grounded || suits(profile, id, models, providers))
        .toList();
    return left.isEmpty() && grounded ? List.of(QUOTE) : left;
  }

  private static boolean suits(
      Profile profile,
      String id,
      Map<String, ModelConfig> models,
      Map<String, ProviderConfig> providers) {
    ModelConfig model = models.get(id);
    ProviderConfig server = model == null ? null : providers.get(model.provider());
    return model != null
        && server != null
        && server.satisfies(profile.policy())
        && profile.needs().metBy(model.capabilities());
  }
}
