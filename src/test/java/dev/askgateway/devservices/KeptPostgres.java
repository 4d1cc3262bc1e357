package dev.askgateway.devservices;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * An embedded PostgreSQL with pgvector whose data folder stays: for data that takes long to build and is
 * asked again. The folder keeps the owner's password beside the data, so it is for test data only.
 */
public final class KeptPostgres implements AutoCloseable {
  private static final String OWNER = "postgres";

  private final EmbeddedPostgres server;
  private final DatabaseUrl url;

  private KeptPostgres(EmbeddedPostgres server, DatabaseUrl url) {
    this.server = server;
    this.url = url;
  }

  /**
   * Starts with the data in a folder, which is made when it is not there.
   *
   * @param settings of the server, by their names in postgresql.conf
   */
  public static KeptPostgres open(Path folder, Map<String, String> settings) throws IOException {
    Path cache = DevServicesOptions.fromEnvironment().cache();
    Path binaries = Files.createDirectories(cache.resolve("postgres"));
    Path kept = Files.createDirectories(folder.toAbsolutePath());
    Path passwordFile = kept.resolve("password");
    if (!Files.exists(passwordFile)) {
      Files.writeString(passwordFile, UUID.randomUUID().toString());
    }
    String password = Files.readString(passwordFile);
    System.setProperty("ot.epg.working-dir", binaries.toString());
    Redirect log = Redirect.appendTo(kept.resolve("postgres.log").toFile());
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(binaries.toFile())
        .setDataDirectory(kept.resolve("data"))
        .setCleanDataDirectory(false)
        .setRegisterShutdownHook(true)
        .setPGStartupWait(Duration.ofSeconds(120))
        .setLocaleConfig("auth", "scram-sha-256")
        .setLocaleConfig("pwfile", passwordFile.toString())
        .setLocaleConfig("locale", "C.UTF-8")
        .setConnectConfig("password", password)
        .setServerConfig("unix_socket_directories", "")
        .setErrorRedirector(log)
        .setOutputRedirector(log);
    settings.forEach(builder::setServerConfig);
    EmbeddedPostgres server = builder.start();
    DatabaseUrl url = DatabaseUrl.of(OWNER, password, "localhost", server.getPort(), "postgres");
    new Pgvector(cache, kept, line -> {}).addTo(url);
    return new KeptPostgres(server, url);
  }

  /** Returns {@code postgresql://user:password@host:port/postgres}: the owner's login. */
  public String url() {
    return url.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
