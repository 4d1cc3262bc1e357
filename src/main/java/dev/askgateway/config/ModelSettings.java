package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.route.Catalogue;
import java.net.URI;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** The profile that one request may keep busy for longest. */
  Optional<Profile> longest() {
    return catalogue.profiles().values().stream()
        .max(Comparator.comparing(profile -> profile.deadlines().total()));
  }
}
