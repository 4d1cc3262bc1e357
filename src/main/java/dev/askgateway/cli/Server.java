package dev.askgateway.cli;

import dev.askgateway.config.GatewayConfig;
import io.vertx.core.Future;

/** Starts a gateway: what {@code serve} runs. */
@FunctionalInterface
public interface Server {

  /** Succeeds once requests are taken; after a failure nothing is left running. */
  Future<Running> start(GatewayConfig config);

  /** A gateway that takes requests. */
  interface Running {

    /** The port it listens on. */
    int port();

    /** The port of the operator's own listener; -1 where there is none. */
    default int managementPort() {
      return -1;
    }

    /**
     * Takes no more requests after http.drainGrace, lets running answers end within http.drainTimeout, and lets go of
     * everything.
     */
    Future<Void> close();
  }
}
