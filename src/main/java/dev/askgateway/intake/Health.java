package dev.askgateway.intake;

import dev.askgateway.intake.admission.Admissions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Whether this process lives, and whether it can serve. Says which part is down, never why. */
public final class Health {
  private static final long TIMEOUT_MILLIS = 2000;

  /**
   * One thing the gateway stands on.
   *
   * @param required whether it cannot serve without; a missing other one only degrades it
   * @param probe succeeds while the thing is there
   */
  public record Check(boolean required, Supplier<Future<Void>> probe) {}

  private final Map<String, Check> checks;
  private final Admissions admissions;
  private final Supplier<JsonObject> changes;

  /** @param changes what operators changed, by the names it is shown under */
  public Health(Map<String, Check> checks, Admissions admissions, Supplier<JsonObject> changes) {
    this.checks = new TreeMap<>(checks);
    this.admissions = admissions;
    this.changes = changes;
  }

  void live(RoutingContext ctx) {
    respond(ctx, 200, new JsonObject().put("status", "up"));
  }

  /** Turning requests away is no reason to be taken out of service; being about to go is. */
  void ready(RoutingContext ctx) {
    if (admissions.isLeaving()) {
      respond(ctx, 503, state("draining", false, new JsonObject()));
      return;
    }
    JsonObject states = new JsonObject();
    List<Check> missing = new ArrayList<>();
    List<Future<Void>> probes = new ArrayList<>();
    checks.forEach((name, check) -> probes.add(probe(check).transform(probed -> {
      states.put(name, probed.succeeded() ? "up" : "down");
      if (probed.failed()) {
        missing.add(check);
      }
      return Future.succeededFuture();
    })));
    Future.all(probes).onComplete(all -> {
      boolean down = missing.stream().anyMatch(Check::required);
      respond(
          ctx,
          down ? 503 : 200,
          state(down ? "down" : missing.isEmpty() ? "up" : "degraded", !missing.isEmpty(), states));
    });
  }

  private JsonObject state(String status, boolean degraded, JsonObject checks) {
    return new JsonObject()
        .put("status", status)
        .put("degraded", degraded)
        .put("checks", checks)
        .put("admission", admissions.toJson())
        .mergeIn(changes.get());
  }

  private static Future<Void> probe(Check check) {
    try {
      return check.probe().get().timeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private static void respond(RoutingContext ctx, int status, JsonObject body) {
    HttpServerResponse response = ctx.response();
    response
        .setStatusCode(status)
        .putHeader("content-type", "application/json; charset=utf-8")
        .putHeader("cache-control", "no-store")
        .end(body.toBuffer());
  }
}
