package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import dev.askgateway.core.UserId;
import dev.askgateway.store.ThreadRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Threads, global and of a chat: listed, read in pages, deleted. */
final class ThreadRoutes {
  private static final int MAX_TITLE = 120;

  private final AskParts parts;

  ThreadRoutes(AskParts parts) {
    this.parts = parts;
  }

  void create(RoutingContext ctx) {
    String title = title(Replies.body(ctx).getString("title"));
    parts
        .threads()
        .create(Replies.person(ctx), title)
        .onSuccess(thread -> Replies.data(ctx, 201, thread))
        .onFailure(ctx::fail);
  }

  private static @Nullable String title(@Nullable String raw) {
    if (raw == null) {
      return null;
    }
    String title = SafeText.clean(raw).strip();
    if (title.isEmpty() || title.codePointCount(0, title.length()) > MAX_TITLE) {
      throw GatewayError.invalid("/title", "A title is 1 to 120 characters long.");
    }
    return title;
  }

  void list(RoutingContext ctx) {
    parts
        .threads()
        .list(Replies.person(ctx), Cursors.threads(Replies.query(ctx, "cursor")), limit(ctx))
        .onSuccess(page -> {
          JsonObject body =
              new JsonObject().put("success", true).put("data", new JsonArray(page.threads()));
          if (page.next() != null) {
            body.put("nextCursor", Cursors.ofThreads(page.next()));
          }
          Replies.json(ctx, 200, body);
        })
        .onFailure(ctx::fail);
  }

  void get(RoutingContext ctx) {
    long before = Cursors.turns(Replies.query(ctx, "cursor"));
    respond(
        ctx,
        parts
            .threads()
            .history(Replies.person(ctx), Replies.uuid(ctx, "threadId"), before, limit(ctx)));
  }

  void getConversation(RoutingContext ctx) {
    long before = Cursors.turns(Replies.query(ctx, "cursor"));
    respond(
        ctx,
        parts
            .threads()
            .chatHistory(Replies.person(ctx), Replies.uuid(ctx, "chatId"), before, limit(ctx)));
  }

  private static void respond(RoutingContext ctx, Future<ThreadRepository.History> history) {
    history
        .onSuccess(page -> {
          JsonObject data = new JsonObject()
              .put("thread", page.thread())
              .put("turns", new JsonArray(page.turns()));
          if (page.older() != null) {
            data.put("nextCursor", Cursors.ofTurns(page.older()));
          }
          Replies.data(ctx, 200, data);
        })
        .onFailure(ctx::fail);
  }

  void delete(RoutingContext ctx) {
    UserId person = Replies.person(ctx);
    gone(ctx, parts.threads().delete(person, Replies.uuid(ctx, "threadId")));
  }

  void deleteConversation(RoutingContext ctx) {
    UserId person = Replies.person(ctx);
    gone(ctx, parts.threads().deleteOfChat(person, Replies.uuid(ctx, "chatId")));
  }

  /** Its running answers write nothing back any more; they are stopped so that they cost no more. */
  private void gone(RoutingContext ctx, Future<List<UUID>> deleted) {
    UserId person = Replies.person(ctx);
    deleted
        .onSuccess(running -> {
          running.forEach(request -> parts.answers().cancel(person, request));
          Replies.json(ctx, 200, new JsonObject().put("success", true));
        })
        .onFailure(ctx::fail);
  }

  private static int limit(RoutingContext ctx) {
    return Replies.limit(ctx, ThreadRepository.MAX_PAGE);
  }
}
