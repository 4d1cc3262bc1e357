package dev.askgateway.intake;

import dev.askgateway.answer.Answers;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * What questions and people's own data stand on.
 *
 * @param ingest reads the body of {@code POST /ai/messages}; the request comes paused, its person
 *     known: attach handlers, then resume
 * @param startIndex asks for the person's messages to be indexed, and returns at once
 */
public record AskParts(
    Answers answers,
    TurnRepository turns,
    ThreadRepository threads,
    ChatRepository chats,
    Connections connections,
    Handler<RoutingContext> ingest,
    Function<UserId, Future<Void>> startIndex,
    RelayConfig relay,
    RelayListener relayListener) {}
