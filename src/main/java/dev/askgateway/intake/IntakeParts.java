package dev.askgateway.intake;

import dev.askgateway.core.trace.Traces;
import dev.askgateway.intake.admission.Admissions;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.limit.LimitParts;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one instance of the door stands on, built on its own event loop.
 *
 * @param ask what questions stand on; null: they are not served
 * @param edge what the OpenAI-compatible edge stands on; null: it is not served
 * @param budget what people's accounts stand on; null: nobody is charged, and they are not served
 * @param limits what requests are limited by
 * @param admissions who is let in, on all instances together
 * @param jwks fetches the key set; never called with a shared secret
 * @param health the parts that readiness looks at, by the name it shows
 * @param changes what operators changed, as readiness shows it
 * @param metrics writes the Prometheus text; called on a worker thread
 * @param traces where the spans of requests hang
 */
public record IntakeParts(
    @Nullable AskParts ask,
    @Nullable EdgeParts edge,
    @Nullable BudgetParts budget,
    LimitParts limits,
    Admissions admissions,
    RelayConfig relay,
    RelayListener relayListener,
    Supplier<Future<JsonObject>> jwks,
    Map<String, Health.Check> health,
    Supplier<JsonObject> changes,
    Supplier<String> metrics,
    Traces traces) {}
