package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Adds pgvector to the embedded PostgreSQL, whose binaries come without it: from an installed
 * package of the same major version, else from this user's cache, else built once into that cache.
 */
final class Pgvector {
  private static final ReentrantLock BUILDING = new ReentrantLock();

  private final Path cache;
  private final Path run;
  private final Consumer<String> progress;

  /** Builds, when it has to, in the folder of a run: whatever ends the run also ends and removes a half build. */
  Pgvector(Path cache, Path run, Consumer<String> progress) {
    this.cache = cache.resolve("pgvector");
    this.run = run;
    this.progress = progress;
  }

  /**
   * Makes {@code CREATE EXTENSION vector} work on a running server whose files are ours.
   *
   * @throws DevServicesException when there is no way to have it; the message names the ways out
   */
  void addTo(DatabaseUrl server) {
    try {
      var facts = ServerFacts.of(server);
      var files = find(facts);
      files.copyTo(facts.libraries(), facts.extensions());
      load(server, files);
    } catch (IOException | SQLException failed) {
      throw DevServicesException.stuck(
          "pgvector could not be added to the embedded PostgreSQL (" + failed.getMessage() + ")",
          failed);
    }
  }

  private ExtensionFiles find(ServerFacts facts) throws IOException {
    var installed = installed(facts.major());
    if (installed.isPresent()) {
      progress.accept("pgvector " + installed.get().version()
          + ": taken from the installed PostgreSQL " + facts.major());
      return installed.get();
    }
    BUILDING.lock();
    try (var gate = FileChannel.open(
            Files.createDirectories(cache).resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
        var held = gate.lock()) {
      return cached(facts);
    } finally {
      BUILDING.unlock();
    }
  }

  private ExtensionFiles cached(ServerFacts facts) throws IOException {
    var home = cache.resolve(facts.version() + "-" + System.getProperty("os.arch"));
    var known = ExtensionFiles.in(home, home);
    if (known.isPresent()) {
      progress.accept("pgvector " + known.get().version() + ": taken from the cache " + home);
      return known.get();
    }
    progress.accept(
        "pgvector: not in the cache, building it from Debian's source package (once, about 15 s)");
    build(facts.major(), home);
    return ExtensionFiles.in(home, home)
        .orElseThrow(() -> new IOException("the build left no files"));
  }

  /** Moves the result to its place as a whole; a killed build leaves no half there. */
  private void build(int major, Path home) throws IOException {
    var work = Files.createDirectory(run.resolve("pgvector-build"));
    var result = Files.createDirectory(work.resolve("result"));
    PgvectorBuild.run(work, major, result);
    Folders.delete(home);
    Files.move(result, home, StandardCopyOption.ATOMIC_MOVE);
    Folders.delete(work);
  }

  private static Optional<ExtensionFiles> installed(int major) throws IOException {
    return ExtensionFiles.in(
        Path.of("/usr/lib/postgresql/" + major + "/lib"),
        Path.of("/usr/share/postgresql/" + major + "/extension"));
  }

  /** Loads the library once now: a clear sentence here is better than a failed migration later. */
  private void load(DatabaseUrl server, ExtensionFiles files) {
    try {
      server.execute("LOAD 'vector'");
    } catch (SQLException unloadable) {
      throw DevServicesException.stuck(
          "pgvector of " + files.library() + " does not load into the embedded PostgreSQL ("
              + Command.lastLine(String.valueOf(unloadable.getMessage())) + ")",
          unloadable);
    }
  }

  /**
   * What a server says about itself.
   *
   * @param version as {@code 17.6}
   * @param libraries where it looks for {@code vector.so}
   * @param extensions where it looks for {@code vector.control}
   */
  record ServerFacts(String version, Path libraries, Path extensions) {

    static ServerFacts of(DatabaseUrl server) throws SQLException {
      var settings = new HashMap<String, String>();
      try (var connection = server.connect();
          var sql = connection.createStatement();
          var rows = sql.executeQuery("SELECT name, setting FROM pg_config"
              + " UNION ALL SELECT 'server_version', current_setting('server_version')")) {
        while (rows.next()) {
          settings.put(rows.getString(1), rows.getString(2));
        }
      }
      return new ServerFacts(
          settings.get("server_version").split(" ")[0],
          Path.of(settings.get("PKGLIBDIR")),
          Path.of(settings.get("SHAREDIR"), "extension"));
    }

    int major() {
      return Integer.parseInt(version.split("\\.")[0]);
    }
  }
}
