package dev.askgateway.intake.ingest;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.IngestRepository;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /ai/messages}: messages of the signed-in person, {@code application/x-ndjson} or one
 * JSON array, read as they come. Good lines are kept whatever the others are.
 *
 * <p>Answers {@code {"success":true,"data":{new, changed, unchanged, deleted, rejected,
 * rejections}}}. An array that breaks off is 400 {@code invalid_request} when no good element came
 * before, else the break is one more rejection ({@code invalid_json}). Needs the {@link UserId}
 * under {@code user-id} and a body that nobody has read; a paused request is resumed here.
 */
public final class IngestHandler implements Handler<RoutingContext> {
  /** Writes one batch; {@link IngestRepository#write} in production. */
  @FunctionalInterface
  public interface BatchWriter {
    Future<IngestRepository.Written> write(UserId user, List<IngestRepository.Message> messages);
  }

  private final BatchWriter writer;
  private final IngestConfig config;
  private final IngestListener listener;

  public IngestHandler(BatchWriter writer, IngestConfig config, Consumer<UserId> wake) {
    this(writer, config, wake, IngestListener.NONE);
  }

  /**
   * @param wake told after each batch that left messages waiting for a vector; must not block
   */
  public IngestHandler(
      BatchWriter writer, IngestConfig config, Consumer<UserId> wake, IngestListener listener) {
    this.writer = (user, messages) -> writer.write(user, messages).onSuccess(written -> {
      listener.written(written.outcomes());
      if (written.queued() > 0) {
        wake.accept(user);
      }
    });
    this.config = config;
    this.listener = listener;
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    LineSplitter lines = splitter(request);
    if (lines == null) {
      refuse(
          ctx,
          new GatewayError(
              GatewayError.Code.UNSUPPORTED_MEDIA_TYPE,
              "Messages are application/x-ndjson or application/json, in UTF-8."));
      return;
    }
    if (declaredLength(request) > config.maxBodyBytes()) {
      refuse(ctx, Ingestion.tooLarge(config));
      return;
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    UserId user = ctx.get("user-id");
    new Ingestion(ctx.vertx().getOrCreateContext(), request, lines, user, writer, config)
        .run()
        .onSuccess(counts -> {
          listener.rejected(counts.getLong("rejected"));
          answer(ctx, counts);
        })
        .onFailure(failure -> {
          if (!ctx.response().closed()) {
            ctx.fail(failure);
          }
        });
  }

  /** Fails a request whose body nobody wants; it still has to leave the connection. */
  private static void refuse(RoutingContext ctx, GatewayError error) {
    ctx.request().resume();
    ctx.fail(error);
  }

  private static void answer(RoutingContext ctx, JsonObject counts) {
    if (!ctx.response().closed()) {
      ctx.response()
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(new JsonObject().put("success", true).put("data", counts).toBuffer());
    }
  }

  private @Nullable LineSplitter splitter(HttpServerRequest request) {
    // A compressed body that the server has not unpacked is nothing we can read.
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || request.headers().contains(HttpHeaders.CONTENT_ENCODING)) {
      return null;
    }
    String[] parts = type.toLowerCase(Locale.ROOT).replace("\"", "").split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        return null;
      }
    }
    return switch (parts[0].strip()) {
      case "application/x-ndjson" -> new NdjsonLines(config.maxLineBytes());
      case "application/json" -> new ArrayElements(config.maxLineBytes());
      default -> null;
    };
  }

  /** The length that the head promises, or -1 when it promises none. */
  private static long declaredLength(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? -1 : Long.parseLong(length);
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }
}
