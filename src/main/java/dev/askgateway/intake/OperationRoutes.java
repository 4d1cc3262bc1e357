package dev.askgateway.intake;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/** What operates a node. Whoever probes or scrapes is answered whatever it says it accepts. */
final class OperationRoutes {
  private final Vertx vertx;
  private final Contract contract;
  private final IntakeParts parts;

  OperationRoutes(Vertx vertx, Contract contract, IntakeParts parts) {
    this.vertx = vertx;
    this.contract = contract;
    this.parts = parts;
  }

  /** Where an operation of the contract gets its handler. */
  interface Mount {
    void at(String operation, Handler<RoutingContext> handler);
  }

  void mount(Mount mount) {
    Health health = new Health(parts.health(), parts.admissions(), parts.changes());
    mount.at("live", health::live);
    mount.at("ready", health::ready);
    mount.at("metrics", ctx -> Metrics.respond(vertx, ctx, parts.metrics()));
    mount.at("contract", ctx -> ctx.response()
        .putHeader("content-type", "application/yaml; charset=utf-8")
        .end(contract.document()));
  }
}
