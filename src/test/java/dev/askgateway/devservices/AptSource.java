package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fetches packages of Debian 13 with apt, on any Debian-like machine and without a trace in its
 * system: sources, state and cache lie in a private folder, and nothing is installed.
 */
final class AptSource {
  /** The release that carries both PostgreSQL 17 and pgvector 0.8. */
  private static final String RELEASE = "trixie";

  private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
  private static final Duration ASK = Duration.ofSeconds(30);
  private static final Duration FETCH = Duration.ofMinutes(5);

  private final Path folder;

  private AptSource(Path folder) {
    this.folder = folder;
  }

  /** Makes the private state in {@code work} and fetches the package lists. */
  static AptSource open(Path work) throws IOException {
    for (var part : List.of("lists/partial", "cache/archives/partial", "state")) {
      Files.createDirectories(work.resolve("apt").resolve(part));
    }
    var apt = new AptSource(work.resolve("apt"));
    Files.writeString(apt.folder.resolve("status"), "");
    var mirror = apt.mirror()
        .orElseThrow(() -> DevServicesException.stuck(
            "pgvector must be built for the embedded PostgreSQL, but apt knows no mirror of Debian",
            null));
    var trust = Files.exists(KEYRING) ? "[signed-by=" + KEYRING + "] " : "";
    var source = trust + mirror + " " + RELEASE + " main\n";
    Files.writeString(apt.folder.resolve("sources.list"), "deb " + source + "deb-src " + source);
    apt.get(apt.folder, FETCH, "update");
    return apt;
  }

  /** Downloads a binary package and unpacks its files below {@code target}. */
  void binary(String name, Path target) throws IOException {
    var download = Files.createDirectories(folder.resolve("binary"));
    get(download, FETCH, "download", name);
    Command.run(
        folder,
        FETCH,
        List.of("dpkg-deb", "-x", only(download, ".deb").toString(), target.toString()));
  }

  /** Downloads a source package and unpacks what its authors released into {@code target}. */
  void source(String name, Path target) throws IOException {
    var download = Files.createDirectories(folder.resolve("source"));
    get(download, FETCH, "source", "--download-only", name);
    var archive = only(download, ".orig.tar.gz");
    Files.createDirectories(target);
    Command.run(
        folder,
        FETCH,
        List.of(
            "tar", "-xzf", archive.toString(), "-C", target.toString(), "--strip-components=1"));
  }

  private Optional<String> mirror() throws IOException {
    var fetched =
        Command.run(folder, ASK, List.of("apt-get", "indextargets", "--format", AptMirror.FORMAT));
    return fetched.isBlank() ? configured() : AptMirror.fromIndexTargets(fetched);
  }

  private Optional<String> configured() throws IOException {
    var words = new ArrayList<>(List.of("apt-get", "--print-uris", "update"));
    words.addAll(privateState());
    return AptMirror.fromUpdateUris(Command.run(folder, ASK, words));
  }

  private void get(Path directory, Duration limit, String... action) throws IOException {
    var words = new ArrayList<>(List.of("apt-get", "-q"));
    words.addAll(List.of(action));
    words.addAll(privateState());
    words.addAll(List.of("-o", "Dir::Etc::sourcelist=" + folder.resolve("sources.list")));
    words.addAll(List.of("-o", "Dir::Etc::sourceparts=/dev/null"));
    words.addAll(List.of("-o", "Dir::Etc::preferences=/dev/null"));
    words.addAll(List.of("-o", "Dir::Etc::preferencesparts=/dev/null"));
    Command.run(directory, limit, words);
  }

  /** The proxy and TLS settings of the machine stay in force; only the places change. */
  private List<String> privateState() {
    var options = new ArrayList<String>();
    for (var option : List.of(
        "Dir::State=" + folder.resolve("state"),
        "Dir::State::lists=" + folder.resolve("lists"),
        "Dir::State::status=" + folder.resolve("status"),
        "Dir::Cache=" + folder.resolve("cache"),
        "Acquire::Languages=none",
        "APT::Update::Error-Mode=any",
        // As root apt would fetch as a user that cannot read a private folder.
        "APT::Sandbox::User=" + System.getProperty("user.name"))) {
      options.addAll(List.of("-o", option));
    }
    return options;
  }

  private static Path only(Path folder, String ending) throws IOException {
    return Folders.children(folder).stream()
        .filter(file -> file.toString().endsWith(ending))
        .findFirst()
        .orElseThrow(() -> new IOException("apt-get left no " + ending + " file"));
  }
}
