package dev.askgateway.intake;

import dev.askgateway.answer.Answers;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one instance of the door stands on, built on its own event loop.
 *
 * @param ingest reads the body of {@code POST /ai/messages}; the request comes paused, its person
 *     known: attach handlers, then resume
 * @param startIndex asks for the person's messages to be indexed, and returns at once
 * @param jwks fetches the key set; never called with a shared secret
 * @param health the parts that readiness looks at, by the name it shows
 * @param metrics writes the Prometheus text; called on a worker thread
 * @param surfaces what is served besides health and metrics
 * @param edge what {@link Surface#EDGE} stands on; null without it
 */
public record IntakeParts(
    Answers answers,
    TurnRepository turns,
    ThreadRepository threads,
    ChatRepository chats,
    Connections connections,
    Handler<RoutingContext> ingest,
    Function<UserId, Future<Void>> startIndex,
    RelayConfig relay,
    RelayListener relayListener,
    Supplier<Future<JsonObject>> jwks,
    Map<String, Health.Check> health,
    Supplier<String> metrics,
    Set<Surface> surfaces,
    @Nullable EdgeParts edge) {}
