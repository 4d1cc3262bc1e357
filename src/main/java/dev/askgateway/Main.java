package dev.askgateway;

import dev.askgateway.cli.Cli;
import dev.askgateway.cli.OwnVertx;
import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;

/** Start here: reads the command line; {@code serve} builds a Vert.x and the gateway on it. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Cli.run(arguments, System.getenv(), Main::start));
  }

  private static Future<Server.Running> start(GatewayConfig config) {
    Telemetry telemetry = new Telemetry(config.providerNames());
    return OwnVertx.start(
        telemetry.vertxBuilder().build(), vertx -> Gateway.start(vertx, telemetry, config));
  }
}
