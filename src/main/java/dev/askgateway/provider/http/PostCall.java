package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
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
 * One request up to the head of its response, with everything that can go wrong on the way. What the
 * body says is for others to read.
 */
public final class PostCall {
  private final UpstreamClient client;
  private final Post post;
  private final Duration connect;
  private final Duration headers;
  private final long endNanos;
  private final Promise<HttpClientResponse> accepted = Promise.promise();
  private @Nullable HttpClientRequest request;
  private boolean retried;
  private long timer = -1;

  /**
   * A call whose time begins now.
   *
   * @param connect limit of getting a connection
   * @param headers limit of all of it
   */
  public PostCall(UpstreamClient client, Post post, Duration connect, Duration headers) {
    this.client = client;
    this.post = post;
    this.connect = connect;
    this.headers = headers;
    this.endNanos = System.nanoTime() + headers.toNanos();
  }

  /**
   * Sends it, on the caller's event loop. Once.
   *
   * @return the head of a 200, its body paused, in the tick it came; or a {@link GatewayError} with
   *     {@link ProviderFailure} as its cause
   */
  public Future<HttpClientResponse> send() {
    timer = client
        .vertx()
        .setTimer(
            Math.max(1, headers.toMillis()),
            fired -> giveUp(ProviderFailure.error(Kind.TIMEOUT, "headers")));
    connect();
    return accepted.future();
  }

  /** Ends it with this error, unless it has ended. */
  public void giveUp(GatewayError error) {
    HttpClientRequest running = request;
    if (!isOver()) {
      finish(error);
      if (running != null) {
        running.reset();
      }
    }
  }

  private void connect() {
    client.request(HttpMethod.POST, post.url(), connect).onComplete(this::send, this::unreachable);
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
        .putHeader(HttpHeaders.ACCEPT, post.accept());
    post.headers(ready.headers());
    ready.send(post.body()).onComplete(this::answered, cause -> {
      if (!isOver() && !retried && Unworked.isFree(cause, ready, reused)) {
        retried = true;
        request = null;
        connect();
      } else {
        unreachable(cause);
      }
    });
  }

  private void answered(HttpClientResponse response) {
    if (isOver()) {
      return; // given up: the request is reset already
    }
    client.vertx().cancelTimer(timer);
    response.pause();
    if (response.statusCode() == 200) {
      request = null; // the connection's fate is the body's reader's from here on
      accepted.complete(response);
    } else {
      refused(response);
    }
  }

  private void refused(HttpClientResponse response) {
    Duration retryAfter = RetryAfter.of(response.headers(), Instant.now());
    Duration left = Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
    CappedBody.read(client.vertx(), response, client.limits().maxErrorBytes(), left)
        .map(Buffer::toString)
        .otherwise("") // the status alone has to do
        .onSuccess(text -> accepted.tryFail(post.refusal(response.statusCode(), text, retryAfter)));
  }

  private void unreachable(Throwable cause) {
    if (!isOver()) {
      boolean slow = cause instanceof TimeoutException || cause instanceof ConnectTimeoutException;
      finish(
          slow ? ProviderFailure.error(Kind.TIMEOUT, "connect") : ProviderFailure.transport(cause));
    }
  }

  private void finish(GatewayError error) {
    client.vertx().cancelTimer(timer);
    request = null;
    accepted.tryFail(error);
  }

  private boolean isOver() {
    return accepted.future().isComplete();
  }
}
