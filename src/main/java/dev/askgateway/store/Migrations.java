package dev.askgateway.store;

import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/**
 * Brings the schema to this build's version. Any number of nodes may start at once: Flyway's advisory
 * lock lets one work and the others wait. Blocking: never on an event loop.
 */
public final class Migrations {
  private final Flyway flyway;

  public Migrations(StoreConfig config) {
    StoreConfig.Address owner =
        StoreConfig.Address.of("database.migrationUrl", config.migrationUrl());
    flyway = Flyway.configure()
        .dataSource(owner.jdbc(), owner.user(), owner.password())
        .defaultSchema(config.schema())
        .createSchemas(true)
        .locations("classpath:sql")
        .placeholders(Map.of("gatewayRole", config.role(), "schema", config.schema()))
        .connectRetries(2)
        .validateMigrationNaming(true)
        .cleanDisabled(true)
        .load();
  }

  /** Applies what is missing and returns how many migrations that were. */
  public int migrate() {
    return flyway.migrate().migrationsExecuted;
  }

  /** The newest migration of this build ("6"), which a ready database has. */
  public String newest() {
    MigrationInfo[] all = flyway.info().all();
    return all.length == 0 ? "0" : String.valueOf(all[all.length - 1].getVersion());
  }
}
