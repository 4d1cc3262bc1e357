package dev.askgateway.config;

import dev.askgateway.store.StoreConfig;
import java.util.function.Supplier;

/**
 * The database and whether its schema is brought up to date at the start.
 *
 * @param migrateOnStart whether {@code serve} migrates before it listens
 */
public record DatabaseSettings(StoreConfig store, boolean migrateOnStart) {
  private static final String SAMPLE = "postgresql://user:password@localhost/ask";

  static DatabaseSettings from(Section database) {
    String url = database.required("url", SAMPLE);
    String migrationUrl = database.string("migrationUrl");
    return new DatabaseSettings(
        new StoreConfig(
            url,
            migrationUrl.isBlank() ? url : migrationUrl,
            database.string("schema"),
            database.string("role"),
            database.integer("poolSize"),
            database.duration("acquireTimeout")),
        database.bool("migrateOnStart"));
  }

  /** Reads this section alone, for {@link ConfigLoader#load}. */
  public static DatabaseSettings only(Section root) {
    Supplier<DatabaseSettings> database = root.read("database", DatabaseSettings::from);
    root.verify();
    return database.get();
  }
}
