package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.RoutingContext;

/** What a person's data holds that a question can name, and how far it is indexed. */
final class DataRoutes {
  private final AskParts parts;

  DataRoutes(AskParts parts) {
    this.parts = parts;
  }

  void mentionCandidates(RoutingContext ctx) {
    String text = Replies.query(ctx, "q");
    parts
        .chats()
        .mentionCandidates(Replies.person(ctx), text == null ? "" : text)
        .onSuccess(chats -> Replies.data(ctx, 200, new JsonArray(chats)))
        .onFailure(ctx::fail);
  }

  void indexStatus(RoutingContext ctx) {
    parts
        .chats()
        .indexStatus(Replies.person(ctx))
        .onSuccess(status -> Replies.data(ctx, 200, status))
        .onFailure(ctx::fail);
  }

  void startIndex(RoutingContext ctx) {
    UserId person = Replies.person(ctx);
    parts
        .chats()
        .aiEnabled(person)
        .compose(enabled -> enabled
            ? parts.startIndex().apply(person)
            : Future.failedFuture(new GatewayError(
                GatewayError.Code.AI_DISABLED, "The assistant is off for this account.")))
        .compose(asked -> parts.chats().indexStatus(person))
        .onSuccess(status -> Replies.data(ctx, 202, status))
        .onFailure(ctx::fail);
  }
}
