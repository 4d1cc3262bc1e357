package dev.askgateway.intake.edge;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Locale;

/** Reads the JSON body of a request that comes paused, within a length and a time. */
final class BodyReader {
  private static final long LINGER_MILLIS = 10_000;
  private static final String JSON = "application/json";

  private final Vertx vertx;
  private final long maxBytes;
  private final long timeoutMillis;

  BodyReader(Vertx vertx, long maxBytes, Duration timeout) {
    this.vertx = vertx;
    this.maxBytes = maxBytes;
    this.timeoutMillis = timeout.toMillis();
  }

  Future<Buffer> read(HttpServerRequest request) {
    if (!isPlainJson(request)) {
      return Future.failedFuture(new GatewayError(
          GatewayError.Code.UNSUPPORTED_MEDIA_TYPE,
          "The request's body must be application/json."));
    }
    if (announcedLength(request) > maxBytes) {
      return Future.failedFuture(tooLarge());
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    return collect(request);
  }

  private Future<Buffer> collect(HttpServerRequest request) {
    Promise<Buffer> read = Promise.promise();
    Buffer body = Buffer.buffer();
    long timer = vertx.setTimer(
        timeoutMillis,
        late ->
            read.tryFail(GatewayError.invalid("", "The request's body did not arrive in time.")));
    request.handler(chunk -> {
      if (read.future().isComplete()) {
        return; // refused: the rest is dropped as it comes
      }
      if (body.length() + (long) chunk.length() > maxBytes) {
        read.fail(tooLarge());
      } else {
        body.appendBuffer(chunk);
      }
    });
    request.endHandler(end -> read.tryComplete(body));
    request.exceptionHandler(
        broken -> read.tryFail(GatewayError.invalid("", "The request's body broke off.")));
    request.resume();
    return read.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  /**
   * For a request that is refused before its body has come: the rest is read and dropped, so that the
   * client gets to the answer instead of a reset, but not for ever.
   */
  void drop(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    long timer = vertx.setTimer(LINGER_MILLIS, late -> request.connection().close());
    request.handler(dropped -> {});
    request.exceptionHandler(broken -> vertx.cancelTimer(timer));
    request.endHandler(end -> vertx.cancelTimer(timer));
    request.resume();
  }

  private static GatewayError tooLarge() {
    return new GatewayError(GatewayError.Code.PAYLOAD_TOO_LARGE, "The request's body is too long.");
  }

  /** The length the head names; -1 when it names none. */
  private static long announcedLength(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return -1;
    }
    try {
      return Long.parseLong(length.strip());
    } catch (NumberFormatException beyondAnyLimit) {
      return Long.MAX_VALUE;
    }
  }

  private static boolean isPlainJson(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    return type != null
        && (type.equals(JSON)
            || type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON))
        && (encoding == null || encoding.strip().equalsIgnoreCase("identity"));
  }
}
