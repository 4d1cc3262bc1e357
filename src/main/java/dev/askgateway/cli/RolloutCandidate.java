package dev.askgateway.cli;

import dev.askgateway.provider.Profile;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.store.Rollout.Kind;
import java.util.Set;

/**
 * What is to be rolled out, checked against the configuration.
 *
 * @param control the profile that is replaced; empty for retrieval as it is configured
 */
record RolloutCandidate(Kind kind, String control, String candidate) {

  /**
   * A profile in place of another one.
   *
   * @param pair {@code CONTROL=CANDIDATE}
   * @throws IllegalArgumentException when the second cannot stand in for the first
   */
  static RolloutCandidate ofProfile(String pair, Catalogue catalogue) {
    int equals = pair.indexOf('=');
    require(equals > 0, "--profile must be CONTROL=CANDIDATE");
    Profile control = profile(pair.substring(0, equals), catalogue);
    Profile candidate = profile(pair.substring(equals + 1), catalogue);
    require(!control.name().equals(candidate.name()), "the candidate must be another profile");
    require(
        !catalogue.embeds(control.name()) && !catalogue.embeds(candidate.name()),
        "both must be profiles that answer");
    // What a person's question may be told to is not the rollout's to widen (spec D2).
    require(
        catalogue.mayReplace(control.name(), candidate.name()),
        "the candidate's models must satisfy the control's mode, retention and region");
    return new RolloutCandidate(Kind.PROFILE, control.name(), candidate.name());
  }

  private static Profile profile(String name, Catalogue catalogue) {
    Profile profile = catalogue.profiles().get(name);
    if (profile == null) {
      throw new IllegalArgumentException(
          "there is no profile " + name + " with models that are set up");
    }
    return profile;
  }

  /** A version of retrieval in place of the configured one, which must be among those. */
  static RolloutCandidate ofRetrieval(String version, Set<String> versions) {
    require(versions.contains(version), "--retrieval must be one of retrieval.versions");
    return new RolloutCandidate(Kind.RETRIEVAL, "", version);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
