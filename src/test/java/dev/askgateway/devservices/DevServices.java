package dev.askgateway.devservices;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Deque;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL with pgvector and a Redis for the demo and the tests: those of the environment, else
 * containers, else embedded servers. Whatever it started it ends on {@link #close}; what a killed run
 * left behind it ends at the next start.
 */
public final class DevServices implements AutoCloseable {
  private static final String CLOSED = "The services were closed while they started.";

  private final Deque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Consumer<String> progress;
  private @Nullable PostgresService postgres;
  private @Nullable RedisService redis;

  private DevServices(Consumer<String> progress) {
    this.progress = progress;
  }

  /**
   * Starts what is missing and returns when both answer.
   *
   * @param progress gets one line per choice made, without secrets
   * @throws DevServicesException one sentence with the ways out; nothing stays behind
   */
  public static DevServices start(DevServicesOptions options, Consumer<String> progress) {
    var services = new DevServices(progress);
    if (options.closeOnExit()) {
      Runtime.getRuntime().addShutdownHook(new Thread(services::close, "dev-services-close"));
    }
    var begin = System.nanoTime();
    try {
      services.open(options);
      progress.accept(
          "Dev services: ready after %.1f s".formatted((System.nanoTime() - begin) / 1e9));
      return services;
    } catch (RuntimeException failed) {
      if (services.closed.get()) { // what failed was ended with the rest
        throw new DevServicesException(CLOSED, failed);
      }
      services.close();
      throw failed;
    }
  }

  /** The services of this JVM's tests, started at the first call and closed when the JVM exits. */
  public static DevServices shared() {
    return Shared.SERVICES.get();
  }

  /** Returns {@code postgresql://user:password@host:port/db}: an owner's login; empty unless it is {@code DATABASE_URL}. */
  public String databaseUrl() {
    return postgres().url().toString();
  }

  /** Returns {@code redis://host:port}. */
  public String redisUrl() {
    return redis().url();
  }

  /** Ends the Redis, so that connections are refused. Not possible with {@code REDIS_URL}. */
  public void stopRedis() {
    redis().stop();
  }

  /** Starts the Redis again, empty, on the same port. */
  public void startRedis() {
    redis().start();
  }

  /**
   * Creates an empty UTF-8 database on the same server and returns its address with the same login.
   *
   * @param prefix begins its name; letters, digits and underscores count, the rest is replaced
   * @throws DevServicesException when the login may not create databases
   */
  public String freshDatabase(String prefix) {
    var words = prefix.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    var name = words.substring(0, Math.min(words.length(), 40)) + "_"
        + UUID.randomUUID().toString().substring(0, 8);
    var server = postgres().url();
    try {
      server.execute("CREATE DATABASE \"" + name + "\" TEMPLATE template0 ENCODING 'UTF8'");
    } catch (SQLException refused) {
      throw new DevServicesException(
          "No database could be created on " + server.shown() + " (" + refused.getMessage() + ").",
          refused);
    }
    if (postgres() instanceof PostgresService.Given) {
      started.push(() -> server.execute("DROP DATABASE IF EXISTS \"" + name + "\" WITH (FORCE)"));
    }
    return server.withDatabase(name).toString();
  }

  /** Ends everything it started and deletes its data. May be called more than once. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      endAll();
    }
  }

  private void endAll() {
    for (var service = started.poll(); service != null; service = started.poll()) {
      try {
        service.close();
      } catch (Exception failed) {
        progress.accept("Dev services: something did not stop: " + failed.getMessage());
      }
    }
  }

  private void open(DevServicesOptions options) {
    options.databaseUrl().map(DatabaseUrl::parse).ifPresent(given -> {
      postgres = new PostgresService.Given(given);
      progress.accept("PostgreSQL: " + given.shown() + ", because DATABASE_URL is set");
    });
    options.redisUrl().ifPresent(given -> {
      redis = new RedisService.Given(given);
      progress.accept("Redis: the given one, because REDIS_URL is set");
    });
    if (postgres != null && redis != null) {
      return;
    }
    var run = runFolder(options);
    if (!(options.docker()
        && DockerEngine.answers(DockerEngine.host(System.getenv()))
        && openContainers(run))) {
      openEmbedded(options, run);
    }
  }

  private RunFolder runFolder(DevServicesOptions options) {
    try {
      var run = RunFolder.open(options.cache());
      return opened(run);
    } catch (IOException failed) {
      throw DevServicesException.stuck(
          "The folder " + options.cache() + " cannot be used for the dev services (" + failed + ")",
          failed);
    }
  }

  /** Returns whether both are there; a Docker without images is no reason to give up. */
  private boolean openContainers(RunFolder run) {
    try {
      var docker = DockerServices.connect(run.id(), run::isLive, progress);
      if (postgres == null) {
        postgres = opened(docker.postgres());
        progress.accept("PostgreSQL: a container, because a Docker engine answers");
      }
      if (redis == null) {
        redis = opened(docker.redis());
        progress.accept("Redis: a container, because a Docker engine answers");
      }
      return true;
    } catch (IOException | RuntimeException unusable) {
      progress.accept("Docker answers but cannot be used: "
          + Command.lastLine(String.valueOf(unusable.getMessage())));
      return false;
    }
  }

  private void openEmbedded(DevServicesOptions options, RunFolder run) {
    if (postgres == null) {
      progress.accept(
          "PostgreSQL: embedded, because DATABASE_URL is not set and no Docker is used");
      var embedded = opened(EmbeddedPostgresService.start(options.cache(), run.path()));
      new Pgvector(options.cache(), run.path(), progress).addTo(embedded.url());
      postgres = embedded;
    }
    if (redis == null) {
      progress.accept("Redis: embedded, because REDIS_URL is not set and no Docker is used");
      redis = opened(EmbeddedRedisService.start(run.path()));
    }
  }

  private <T extends AutoCloseable> T opened(T service) {
    started.push(service);
    if (closed.get()) { // Ctrl-C during the start: the hook may have been through before this
      endAll();
      throw new DevServicesException(CLOSED, null);
    }
    return service;
  }

  private PostgresService postgres() {
    return present(postgres);
  }

  private RedisService redis() {
    return present(redis);
  }

  private static <T> T present(@Nullable T service) {
    if (service == null) {
      throw new IllegalStateException("the services have not started");
    }
    return service;
  }

  /** Holds the shared services: the class loader starts them once, whoever asks first. */
  private static final class Shared {
    static final Supplier<DevServices> SERVICES = once();

    /** A failed start is told to each who asks, in the same words and without trying again. */
    private static Supplier<DevServices> once() {
      try {
        var services = start(
            DevServicesOptions.fromEnvironment(),
            line -> System.out.println("[dev services] " + line));
        return () -> services;
      } catch (DevServicesException failed) {
        return () -> {
          throw new DevServicesException(failed.getMessage(), failed);
        };
      }
    }
  }
}
