package dev.askgateway.cli;

import dev.askgateway.config.DatabaseSettings;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.store.Migrations;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a gateway until the process is told to stop. Blocks its thread, which is no event loop. */
final class Serve {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);
  private static final Duration LONGEST_START = Duration.ofMinutes(2);

  /** What closing takes besides the answers that are let to end: storing and telling, and letting go. */
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(20);

  private final Server server;
  private final Consumer<Runnable> onStop;

  /** @param onStop takes what is to be done when the process is told to stop */
  Serve(Server server, Consumer<Runnable> onStop) {
    this.server = server;
    this.onStop = onStop;
  }

  /**
   * Returns after a stop, when everything is closed.
   *
   * @return whether it came to a clean end
   */
  boolean run(GatewayConfig config) throws Exception {
    config.database().filter(DatabaseSettings::migrateOnStart).ifPresent(database -> {
      int applied = new Migrations(database.store()).migrate();
      LOG.info("the schema is up to date, {} migrations applied", applied);
    });
    Server.Running running = await(server.start(config), LONGEST_START);
    // Before anybody is told that it is ready: whoever waits for that may stop it at once.
    CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    onStop.accept(() -> stopped.complete(stop(running, config.http())));
    LOG.info("ready on http://{}:{}", config.http().host(), running.port());
    if (running.managementPort() > 0) {
      LOG.info("managed on http://{}:{}", config.management().host(), running.managementPort());
    }
    return stopped.get();
  }

  private static boolean stop(Server.Running running, IntakeConfig http) {
    LOG.info(
        "told to stop: takes requests for {} s more, then answers may run for at most {} s",
        http.drainGrace().toSeconds(),
        http.drainTimeout().toSeconds());
    try {
      await(running.close(), http.drainGrace().plus(http.drainTimeout()).plus(LONGEST_CLOSE));
      LOG.info("stopped");
      return true;
    } catch (Exception late) {
      LOG.warn("stopped without a clean end: {}", late.toString());
      return false;
    }
  }

  /** The result, waited for on a thread that is no event loop. */
  static <T> T await(Future<T> future, Duration longest) throws Exception {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    } catch (TimeoutException late) {
      throw new IllegalStateException("it took longer than " + longest.toSeconds() + " s");
    }
  }
}
