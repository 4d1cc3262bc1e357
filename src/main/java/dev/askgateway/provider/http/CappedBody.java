package dev.askgateway.provider.http;

import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;

/** Reads a short response as a whole, bounded in bytes and time; what breaks the bounds is reset. */
public final class CappedBody {
  private final HttpClientResponse response;
  private final int maxBytes;
  private final Buffer body = Buffer.buffer();
  private final Promise<Buffer> done = Promise.promise();

  private CappedBody(HttpClientResponse response, int maxBytes) {
    this.response = response;
    this.maxBytes = maxBytes;
  }

  /** The body, or a failure with {@link ProviderFailure} as its cause: too long, too late, broken. */
  public static Future<Buffer> read(
      Vertx vertx, HttpClientResponse response, int maxBytes, Duration timeout) {
    CappedBody reader = new CappedBody(response, maxBytes);
    long timer = vertx.setTimer(
        Math.max(1, timeout.toMillis()), fired -> reader.giveUp(ProviderFailure.Kind.TIMEOUT));
    response
        .exceptionHandler(broken -> reader.done.tryFail(ProviderFailure.transport(broken)))
        .endHandler(ended -> reader.done.tryComplete(reader.body))
        .handler(reader::take)
        .resume();
    return reader.done.future().onComplete(ended -> vertx.cancelTimer(timer));
  }

  private void take(Buffer chunk) {
    if (done.future().isComplete()) {
      return;
    }
    if (body.length() + chunk.length() > maxBytes) {
      giveUp(ProviderFailure.Kind.PROTOCOL);
    } else {
      body.appendBuffer(chunk);
    }
  }

  private void giveUp(ProviderFailure.Kind kind) {
    if (done.tryFail(ProviderFailure.error(kind, "response body"))) {
      response.request().reset();
    }
  }
}
