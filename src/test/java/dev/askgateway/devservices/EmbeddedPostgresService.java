package dev.askgateway.devservices;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** PostgreSQL from the binaries of a Maven artifact, listening on the loopback interface only. */
final class EmbeddedPostgresService implements PostgresService {
  private static final String OWNER = "postgres";

  private final EmbeddedPostgres server;
  private final DatabaseUrl url;

  private EmbeddedPostgresService(EmbeddedPostgres server, DatabaseUrl url) {
    this.server = server;
    this.url = url;
  }

  /** Unpacks the binaries under {@code cache} when they are not there, and starts with data in {@code run}. */
  static EmbeddedPostgresService start(Path cache, Path run) {
    var log = run.resolve("postgres.log");
    var password = UUID.randomUUID().toString();
    try {
      var passwordFile = Files.writeString(run.resolve("postgres.password"), password);
      var binaries = Files.createDirectories(cache.resolve("postgres"));
      // The library also makes and sweeps a folder of its own, by default one in /tmp for all
      // users.
      System.setProperty("ot.epg.working-dir", binaries.toString());
      var server = builder(binaries, run, passwordFile, password)
          .setErrorRedirector(Redirect.appendTo(log.toFile()))
          .setOutputRedirector(Redirect.appendTo(log.toFile()))
          .start();
      Files.delete(passwordFile);
      return new EmbeddedPostgresService(
          server, DatabaseUrl.of(OWNER, password, "localhost", server.getPort(), "postgres"));
    } catch (IOException | RuntimeException | ExceptionInInitializerError failed) {
      throw DevServicesException.stuck(
          "The embedded PostgreSQL does not start (" + reason(log, failed) + ")", failed);
    }
  }

  @Override
  public DatabaseUrl url() {
    return url;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException failed) {
      throw new DevServicesException("The embedded PostgreSQL did not stop.", failed);
    }
  }

  /** Speed before durability: what a crash would lose is thrown away anyway. */
  private static EmbeddedPostgres.Builder builder(
      Path binaries, Path run, Path passwordFile, String password) {
    return EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(binaries.toFile())
        .setDataDirectory(run.resolve("postgres"))
        .setCleanDataDirectory(true)
        .setRegisterShutdownHook(false)
        .setPGStartupWait(Duration.ofSeconds(60))
        // These are options of initdb. The library's own "trust" would let every local user in.
        .setLocaleConfig("auth", "scram-sha-256")
        .setLocaleConfig("pwfile", passwordFile.toString())
        .setLocaleConfig("locale", "C.UTF-8")
        .setConnectConfig("password", password)
        .setServerConfig("unix_socket_directories", "")
        .setServerConfig("max_connections", "200")
        .setServerConfig("shared_buffers", "256MB")
        .setServerConfig("fsync", "off")
        .setServerConfig("full_page_writes", "off");
  }

  private static String reason(Path log, Throwable failed) {
    try {
      if (Files.exists(log) && Files.size(log) > 0) {
        var output = Files.readString(log);
        return output
            .lines()
            .filter(line -> line.contains("error:") || line.contains("FATAL:"))
            .findFirst()
            .orElseGet(() -> Command.lastLine(output));
      }
    } catch (IOException unreadable) {
      failed.addSuppressed(unreadable);
    }
    return String.valueOf(failed.getMessage());
  }
}
