package dev.askgateway;

import dev.askgateway.cli.Cli;
import dev.askgateway.cli.OwnVertx;
import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.provider.onnx.OnnxLoader;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Start here: reads the command line; {@code serve} builds a Vert.x and the gateway on it. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Cli.run(arguments, System.getenv(), Main::start, Main::models));
  }

  private static Future<Server.Running> start(GatewayConfig config) {
    Telemetry telemetry = Gateway.telemetry(config);
    return OwnVertx.start(
        telemetry.vertxBuilder().build(), vertx -> Gateway.start(vertx, telemetry, config));
  }

  private static ProviderFactory models(Vertx vertx, ClientLimits limits) {
    return new Dialects(
        vertx, UpstreamClient.create(vertx, limits), new OnnxLoader(vertx, OnnxConfig.DEFAULT));
  }
}
