package dev.askgateway.store;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.flywaydb.core.Flyway;

/**
 * Brings the schema to this build's version. Any number of nodes may start at once: Flyway's advisory
 * lock lets one work and the others wait. Blocking: never on an event loop.
 */
public final class Migrations {
  /** In seconds: a start that finds no database ends soon, also when nobody answers at all. */
  private static final Map<String, String> CONNECTING =
      Map.of("connectTimeout", "3", "loginTimeout", "3");

  private final Flyway flyway;

  public Migrations(StoreConfig config) {
    StoreConfig.Address owner =
        StoreConfig.Address.of("database.migrationUrl", config.migrationUrl());
    flyway = Flyway.configure()
        .dataSource(owner.jdbc(), owner.user(), owner.password())
        .jdbcProperties(CONNECTING)
        .defaultSchema(config.schema())
        .createSchemas(true)
        .locations("classpath:sql")
        .placeholders(Map.of("gatewayRole", config.role(), "schema", config.schema()))
        .connectRetries(1)
        .validateMigrationNaming(true)
        .cleanDisabled(true)
        .load();
  }

  /** Applies what is missing and returns how many migrations that were. */
  public int migrate() {
    return flyway.migrate().migrationsExecuted;
  }

  /** The number of the newest migration in this build: what a ready database has at least. */
  public static int newest() {
    Pattern migration = Pattern.compile("(?:.*/)?V(\\d+)__\\w+\\.sql");
    return files()
        .map(migration::matcher)
        .filter(Matcher::matches)
        .mapToInt(name -> Integer.parseInt(name.group(1)))
        .max()
        .orElseThrow(() -> new IllegalStateException("this build has no migrations"));
  }

  private static Stream<String> files() {
    try {
      URL folder = Objects.requireNonNull(Migrations.class.getResource("/sql"));
      if (folder.openConnection() instanceof JarURLConnection jar) {
        return jar.getJarFile().stream().map(ZipEntry::getName);
      }
      try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
        return files.map(Path::toString).toList().stream();
      }
    } catch (IOException | URISyntaxException unreadable) {
      throw new IllegalStateException("the migrations of this build cannot be read", unreadable);
    }
  }
}
