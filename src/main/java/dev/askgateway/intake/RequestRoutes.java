package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.ask.Ask;
import dev.askgateway.relay.SseRelay;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests after they were made: how they stand, following them, stopping them. */
final class RequestRoutes {
  private final Vertx vertx;
  private final AskParts parts;
  private final Duration replayWindow;

  RequestRoutes(Vertx vertx, AskParts parts, Duration replayWindow) {
    this.vertx = vertx;
    this.parts = parts;
    this.replayWindow = replayWindow;
  }

  void get(RoutingContext ctx) {
    find(ctx)
        .onSuccess(request -> Replies.data(ctx, 200, RequestJson.of(request)))
        .onFailure(ctx::fail);
  }

  void stream(RoutingContext ctx) {
    follow(ctx, Future.succeededFuture(Optional.of(Replies.uuid(ctx, "requestId"))));
  }

  void resumeMessages(RoutingContext ctx) {
    String key = Ask.clientKey(Replies.text(ctx, "id"));
    follow(
        ctx, parts.threads().latestOfClient(Replies.person(ctx), key, asUuid(key), replayWindow));
  }

  void resumeThread(RoutingContext ctx) {
    UUID thread = Replies.uuid(ctx, "threadId");
    follow(ctx, parts.threads().latestOfThread(Replies.person(ctx), thread, replayWindow));
  }

  void resumeConversation(RoutingContext ctx) {
    UUID chat = Replies.uuid(ctx, "chatId");
    follow(ctx, parts.threads().latestOfChat(Replies.person(ctx), chat, replayWindow));
  }

  private static @Nullable UUID asUuid(String key) {
    return key.length() == 36 && key.matches("[0-9a-fA-F-]+") && key.split("-", -1).length == 5
        ? UUID.fromString(key)
        : null;
  }

  private void follow(RoutingContext ctx, Future<Optional<UUID>> latest) {
    UserId person = Replies.person(ctx);
    latest
        .compose(request -> request.isEmpty()
            ? Future.succeededFuture(false)
            : parts.answers().attach(person, request.get(), relay(ctx)))
        .onSuccess(attached -> {
          if (!attached) {
            Replies.nothing(ctx);
          }
        })
        .onFailure(refused -> Refusals.respond(ctx, refused));
  }

  private SseRelay relay(RoutingContext ctx) {
    return new SseRelay(vertx, ctx.request(), parts.relay(), parts.relayListener());
  }

  /** Stops it if it runs. Safe to repeat: what ended is told as it ended. */
  void cancel(RoutingContext ctx) {
    UserId person = Replies.person(ctx);
    UUID id = Replies.uuid(ctx, "requestId");
    find(ctx)
        .compose(request ->
            isRunning(request) ? parts.answers().cancel(person, id) : Future.succeededFuture(false))
        .compose(running -> running
            ? Future.succeededFuture("streaming")
            : find(ctx).map(request -> request.getString("status")))
        .onSuccess(status -> Replies.data(
            ctx,
            status.equals("streaming") ? 202 : 200,
            new JsonObject().put("requestId", id.toString()).put("status", status)))
        .onFailure(ctx::fail);
  }

  private static boolean isRunning(JsonObject request) {
    return "streaming".equals(request.getString("status"));
  }

  private Future<JsonObject> find(RoutingContext ctx) {
    return parts
        .turns()
        .find(Replies.person(ctx), Replies.uuid(ctx, "requestId"))
        .compose(found -> found
            .map(Future::succeededFuture)
            .orElseGet(() -> Future.failedFuture(GatewayError.notFound("request"))));
  }
}
