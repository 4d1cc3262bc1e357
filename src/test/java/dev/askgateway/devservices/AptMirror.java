package dev.askgateway.devservices;

import java.util.Optional;
import java.util.regex.Pattern;

/** Reads from apt's own words which mirror of Debian this machine uses. */
final class AptMirror {
  /** The format for {@code apt-get indextargets --format}; {@link #fromIndexTargets} reads its lines. */
  static final String FORMAT = "$(CREATED_BY)|$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)";

  /** A line of {@code apt-get --print-uris update}: the address of a release file in quotes. */
  private static final Pattern RELEASE = Pattern.compile("^'([^']+/)dists/[a-z]+/InRelease'.*");

  private AptMirror() {}

  /** The mirror of Debian's main archive among the indexes this machine has fetched. */
  static Optional<String> fromIndexTargets(String output) {
    return output
        .lines()
        .map(line -> line.strip().split("\\|", -1))
        .filter(part -> part.length == 5)
        .filter(part -> part[0].equals("Packages") && part[3].equals("main"))
        .filter(part -> part[1].equals("Debian") && part[2].equals("Debian"))
        .map(part -> part[4])
        .findFirst();
  }

  /**
   * The mirror on a machine that has fetched no index yet, as fresh containers have not. A release
   * name with a hyphen is a security or updates archive, which lacks what we need.
   */
  static Optional<String> fromUpdateUris(String output) {
    return output
        .lines()
        .map(line -> RELEASE.matcher(line.strip()))
        .filter(line -> line.matches())
        .map(line -> line.group(1))
        .findFirst();
  }
}
