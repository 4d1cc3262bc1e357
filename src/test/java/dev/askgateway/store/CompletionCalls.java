package dev.askgateway.store;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.Wait;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** How completions of tests begin and end, and the event loops they do it on. */
public final class CompletionCalls {
  private static final Duration LEASE = Duration.ofMinutes(5);

  private CompletionCalls() {}

  /** A completion of the node "node" that wants to hold so much. */
  public static Begin begin(String person, UUID request, long hold) {
    return Begin.outside(
        new UserId(person),
        request,
        Buffer.buffer("f"),
        "completion",
        "model",
        "node",
        LEASE,
        hold,
        "book");
  }

  /** A whole answer that cost so much. */
  public static JsonObject end(long cost) {
    return new JsonObject()
        .put("status", "completed")
        .put("provider", "p")
        .put("model", "m")
        .put("finishReason", "stop")
        .put(
            "usage",
            new JsonObject(
                "{\"inputTokens\":1,\"cacheReadTokens\":0,\"cacheWriteTokens\":0,\"outputTokens\":1,"
                    + "\"reasoningTokens\":0,\"estimated\":false}"))
        .put("costMicroUsd", cost)
        .put("billableMicroUsd", cost)
        .put("latencyMs", 1);
  }

  /** So many event loops. */
  public static List<Context> loops(Vertx vertx, int count) {
    List<Context> loops = Collections.synchronizedList(new ArrayList<>());
    Supplier<VerticleBase> verticle = () -> new VerticleBase() {
      @Override
      public Future<?> start() {
        loops.add(context);
        return Future.succeededFuture();
      }
    };
    Wait.on(vertx.deployVerticle(verticle, new DeploymentOptions().setInstances(count)));
    return loops;
  }
}
