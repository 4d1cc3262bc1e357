package dev.askgateway.devservices;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What to start and where to keep it.
 *
 * @param databaseUrl a PostgreSQL to use as it is ({@code postgresql://user:password@host:port/db})
 * @param redisUrl a Redis to use as it is ({@code redis://host:port})
 * @param docker whether a Docker engine may be used when one answers
 * @param cache the folder for binaries, the compiled pgvector and the data of running servers
 * @param closeOnExit whether a JVM shutdown hook closes the services; say no when the caller has
 *     something to drain first and closes them itself
 */
public record DevServicesOptions(
    Optional<String> databaseUrl,
    Optional<String> redisUrl,
    boolean docker,
    Path cache,
    boolean closeOnExit) {

  /** {@code DATABASE_URL}, {@code REDIS_URL} and the user's cache folder; Docker allowed. */
  public static DevServicesOptions fromEnvironment() {
    return from(System.getenv());
  }

  static DevServicesOptions from(Map<String, String> environment) {
    return new DevServicesOptions(
        set(environment, "DATABASE_URL"),
        set(environment, "REDIS_URL"),
        true,
        cacheHome(environment).resolve("ask-gateway"),
        true);
  }

  /** The same, but never with Docker. */
  public DevServicesOptions withoutDocker() {
    return new DevServicesOptions(databaseUrl, redisUrl, false, cache, closeOnExit);
  }

  /** The same, closed by the caller and not by a shutdown hook. */
  public DevServicesOptions closedByCaller() {
    return new DevServicesOptions(databaseUrl, redisUrl, docker, cache, false);
  }

  /** The same with its files in {@code folder}. */
  public DevServicesOptions withCache(Path folder) {
    return new DevServicesOptions(databaseUrl, redisUrl, docker, folder, closeOnExit);
  }

  /** HOME comes before user.home: Java reads the latter from the user database and misses an override. */
  private static Path cacheHome(Map<String, String> environment) {
    return set(environment, "XDG_CACHE_HOME")
        .map(Path::of)
        .filter(Path::isAbsolute)
        .orElseGet(() ->
            Path.of(set(environment, "HOME").orElse(System.getProperty("user.home")), ".cache"));
  }

  private static Optional<String> set(Map<String, String> environment, String key) {
    return Optional.ofNullable(environment.get(key)).filter(value -> !value.isBlank());
  }
}
