package dev.askgateway.intake;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.admission.Admission;
import dev.askgateway.intake.admission.AdmittedAnswer;
import dev.askgateway.intake.admission.Ticket;
import dev.askgateway.intake.ask.Ask;
import dev.askgateway.intake.trace.RequestName;
import dev.askgateway.intake.trace.RequestSpan;
import dev.askgateway.relay.ErrorTable;
import dev.askgateway.relay.JsonRelay;
import dev.askgateway.relay.SseRelay;
import dev.askgateway.store.ThreadRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.RoutingContext;

/** Questions. Both forms of an answer come from the one call of {@code Answers.ask}. */
final class AskRoutes {
  private final Vertx vertx;
  private final AskParts parts;
  private final Admission admission;

  AskRoutes(Vertx vertx, AskParts parts, Admission admission) {
    this.vertx = vertx;
    this.parts = parts;
    this.admission = admission;
  }

  void ask(RoutingContext ctx) {
    ask(ctx, new AskCommand.NewThread());
  }

  void askInThread(RoutingContext ctx) {
    ask(ctx, new AskCommand.ExistingThread(Replies.uuid(ctx, "threadId")));
  }

  void askInConversation(RoutingContext ctx) {
    ask(ctx, new AskCommand.ChatThread(Replies.uuid(ctx, "chatId")));
  }

  void search(RoutingContext ctx) {
    ask(ctx, new AskCommand.Search());
  }

  private void ask(RoutingContext ctx, AskCommand.Target place) {
    Ask ask = Ask.of(
        Replies.person(ctx), place, Replies.body(ctx), Replies.header(ctx, "Idempotency-Key"));
    RequestName.name(ctx, ask.command().requestId());
    if (Accept.of(ctx.request()).wantsEvents(ask.stream(), ask.fromSdk())) {
      stream(ctx, ask.command().under(RequestSpan.of(ctx)));
    } else {
      collect(ctx, ask.command().under(RequestSpan.of(ctx)), place);
    }
  }

  private void stream(RoutingContext ctx, AskCommand command) {
    SseRelay relay = new SseRelay(vertx, ctx.request(), parts.relay(), parts.relayListener());
    asked(command, relay).onFailure(refused -> Refusals.respond(ctx, refused));
  }

  /** Composed, so that also what is thrown gives the ticket back. */
  private Future<Void> asked(AskCommand command, AnswerSink reader) {
    Ticket ticket = admission.question(command.user(), command.requestId());
    return Future.succeededFuture()
        .compose(admitted -> parts.answers().ask(command, new AdmittedAnswer(reader, ticket)))
        .onFailure(refused -> ticket.over());
  }

  private void collect(RoutingContext ctx, AskCommand command, AskCommand.Target place) {
    JsonRelay relay = new JsonRelay(ctx.response());
    asked(command, relay)
        .compose(attached -> relay.outcome())
        .compose(outcome -> whole(command, outcome))
        .onSuccess(outcome -> respond(ctx, place, outcome))
        .onFailure(refused -> Refusals.respond(ctx, refused));
  }

  /** A chat's own surface reads its whole thread with each answer. */
  private Future<JsonRelay.Outcome> whole(AskCommand command, JsonRelay.Outcome outcome) {
    if (!(command.target() instanceof AskCommand.ChatThread chat) || outcome.error() != null) {
      return Future.succeededFuture(outcome);
    }
    return parts
        .threads()
        .chatHistory(command.user(), chat.chatId(), Long.MAX_VALUE, ThreadRepository.MAX_PAGE)
        .map(history -> {
          outcome
              .data()
              .put("thread", history.thread())
              .put("turns", new JsonArray(history.turns()));
          return outcome;
        });
  }

  private static void respond(
      RoutingContext ctx, AskCommand.Target place, JsonRelay.Outcome outcome) {
    GatewayError error = outcome.error();
    if (error != null) {
      ErrorTable.respond(
          ctx.response(), error, Refusals.body(ctx, error).put("data", outcome.data()));
      return;
    }
    boolean made = outcome.newThread() && place instanceof AskCommand.NewThread;
    Replies.data(ctx, made ? 201 : 200, outcome.data());
  }
}
