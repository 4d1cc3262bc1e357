package dev.askgateway.intake;

import dev.askgateway.core.UserId;
import dev.askgateway.intake.auth.BearerHandler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.openapi.router.RouterBuilder;
import io.vertx.openapi.validation.RequestParameter;
import io.vertx.openapi.validation.ValidatedRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What routes read of a checked request, and the one success envelope they answer with. */
public final class Replies {
  private Replies() {}

  public static UserId person(RoutingContext ctx) {
    return BearerHandler.person(ctx);
  }

  private static ValidatedRequest request(RoutingContext ctx) {
    return ctx.get(RouterBuilder.KEY_META_DATA_VALIDATED_REQUEST);
  }

  /** The body's object; an empty one for a body that may be missing and is. */
  public static JsonObject body(RoutingContext ctx) {
    RequestParameter body = request(ctx).getBody();
    return body == null || body.isNull() ? new JsonObject() : body.getJsonObject();
  }

  public static UUID uuid(RoutingContext ctx, String pathParameter) {
    return UUID.fromString(text(ctx, pathParameter));
  }

  public static String text(RoutingContext ctx, String pathParameter) {
    RequestParameter value = request(ctx).getPathParameters().get(pathParameter);
    if (value == null) {
      throw new IllegalStateException("the path has no " + pathParameter);
    }
    return value.getString();
  }

  public static @Nullable String query(RoutingContext ctx, String name) {
    RequestParameter value = request(ctx).getQuery().get(name);
    return value == null || value.isNull() ? null : value.getString();
  }

  public static int limit(RoutingContext ctx, int byDefault) {
    RequestParameter value = request(ctx).getQuery().get("limit");
    return value == null || value.isNull() ? byDefault : value.getInteger();
  }

  public static @Nullable String header(RoutingContext ctx, String name) {
    RequestParameter value = request(ctx).getHeaders().get(name);
    return value == null || value.isNull() ? null : value.getString();
  }

  /** Answers {@code {success: true, data}}. */
  public static void data(RoutingContext ctx, int status, Object data) {
    json(ctx, status, new JsonObject().put("success", true).put("data", data));
  }

  public static void json(RoutingContext ctx, int status, JsonObject body) {
    ctx.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
        .end(body.toBuffer());
  }

  public static void nothing(RoutingContext ctx) {
    ctx.response().setStatusCode(204).end();
  }
}
