package dev.askgateway.provider.sse;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.CappedBody;
import dev.askgateway.provider.http.RetryAfter;
import dev.askgateway.provider.http.UpstreamClient;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One streamed call up to its response head, with everything that can go wrong on the way. What it
 * says and how the answer is read is the dialect's {@link Wire}.
 */
public final class SseCall {
  private final UpstreamClient client;
  private final Wire wire;
  private final Deadlines deadlines;
  private final long endNanos;
  private final Promise<TokenStream> opened = Promise.promise();
  private @Nullable HttpClientRequest request;
  private boolean retried;
  private long timer = -1;

  public SseCall(UpstreamClient client, Deadlines deadlines, Wire wire) {
    this.client = client;
    this.wire = wire;
    this.deadlines = deadlines;
    this.endNanos = System.nanoTime() + deadlines.headers().toNanos();
  }

  /** As {@link dev.askgateway.provider.ModelProvider#open} says. */
  public Future<TokenStream> opened() {
    return opened.future();
  }

  /** Starts it, on the caller's event loop. Once. */
  public ModelCall start() {
    timer = client
        .vertx()
        .setTimer(
            deadlines.headers().toMillis(),
            fired -> giveUp(ProviderFailure.error(Kind.TIMEOUT, "headers")));
    connect();
    return new ModelCall(opened(), this::abort);
  }

  private void abort() {
    giveUp(new GatewayError(GatewayError.Code.CANCELLED, "The call was given up."));
  }

  private void connect() {
    client
        .request(HttpMethod.POST, wire.url(), deadlines.connect())
        .onComplete(this::send, cause -> unreachable(cause, false));
  }

  private void send(HttpClientRequest ready) {
    if (isOver()) {
      ready.reset();
      return;
    }
    request = ready;
    boolean reused = !client.isFirstUse(ready.connection());
    ready
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.ACCEPT, "text/event-stream");
    wire.headers(ready.headers());
    ready.send(wire.body()).onComplete(this::answered, cause -> unreachable(cause, reused));
  }

  private void answered(HttpClientResponse response) {
    if (isOver()) {
      return; // given up: the request is reset already
    }
    client.vertx().cancelTimer(timer);
    request = null; // the connection's fate is the response reader's from here on
    response.pause();
    if (response.statusCode() == 200) {
      opened.complete(SseTokenStream.of(client.vertx(), response, wire.dialect(), client.limits()));
    } else {
      refused(response);
    }
  }

  private void refused(HttpClientResponse response) {
    Duration retryAfter = RetryAfter.of(response.headers(), Instant.now());
    CappedBody.read(client.vertx(), response, client.limits().maxErrorBytes(), remaining())
        .map(Buffer::toString)
        .otherwise("") // the status alone has to do
        .onSuccess(text -> opened.tryFail(wire.refusal(response.statusCode(), text, retryAfter)));
  }

  /**
   * A kept connection may have been closed, or spoilt by stray bytes, just before we wrote to it: then
   * nobody has worked for us, and one fresh try is fair. A fresh connection gets none.
   */
  private void unreachable(Throwable cause, boolean reused) {
    if (isOver()) {
      return;
    }
    request = null;
    if (reused && !retried) {
      retried = true;
      connect();
      return;
    }
    boolean slow = cause instanceof TimeoutException || cause instanceof ConnectTimeoutException;
    finish(
        slow ? ProviderFailure.error(Kind.TIMEOUT, "connect") : ProviderFailure.transport(cause));
  }

  private void giveUp(GatewayError error) {
    HttpClientRequest running = request;
    if (!isOver()) {
      finish(error);
      if (running != null) {
        running.reset();
      }
    }
  }

  private void finish(GatewayError error) {
    client.vertx().cancelTimer(timer);
    request = null;
    opened.tryFail(error);
  }

  private boolean isOver() {
    return opened.future().isComplete();
  }

  private Duration remaining() {
    return Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
  }
}
