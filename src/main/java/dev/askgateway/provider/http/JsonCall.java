package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
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

/** One JSON request that is answered as a whole, such as for embeddings, bounded in bytes and time. */
public final class JsonCall {

  /** A request in a vendor's words. No I/O. */
  public interface Post {

    /** The absolute address. Never logged. */
    String url();

    /** Adds the vendor's own headers, the key among them. */
    void headers(MultiMap headers);

    /** The body, JSON. Asked for again if the request has to be sent again. */
    Buffer body();

    /**
     * The error for a status other than 200.
     *
     * @param body as far as it could be read, "" for nothing
     * @param retryAfter what the headers asked for
     */
    GatewayError refusal(int status, String body, @Nullable Duration retryAfter);
  }

  private final UpstreamClient client;
  private final Deadlines deadlines;
  private final Post post;
  private final int maxBytes;
  private final long endNanos;
  private final Promise<Buffer> done = Promise.promise();
  private @Nullable HttpClientRequest request;
  private boolean answered;
  private boolean retried;

  private JsonCall(UpstreamClient client, Deadlines deadlines, Post post, int maxBytes) {
    this.client = client;
    this.deadlines = deadlines;
    this.post = post;
    this.maxBytes = maxBytes;
    this.endNanos = System.nanoTime() + deadlines.total().toNanos();
  }

  /**
   * Sends the request, on the caller's event loop.
   *
   * @param deadlines {@code connect} and {@code headers} bound what they say, {@code total} all of it
   * @param maxBytes longest response
   * @return the body of a 200, or a {@link GatewayError} with {@link ProviderFailure} as its cause
   */
  public static Future<Buffer> post(
      UpstreamClient client, Deadlines deadlines, Post post, int maxBytes) {
    return new JsonCall(client, deadlines, post, maxBytes).start();
  }

  private Future<Buffer> start() {
    Duration total = deadlines.total();
    Duration head = deadlines.headers().compareTo(total) < 0 ? deadlines.headers() : total;
    long timer = client.vertx().setTimer(head.toMillis(), fired -> headIsLate());
    connect();
    return done.future().onComplete(over -> client.vertx().cancelTimer(timer));
  }

  private void connect() {
    client
        .request(HttpMethod.POST, post.url(), deadlines.connect())
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
        .putHeader(HttpHeaders.ACCEPT, "application/json");
    post.headers(ready.headers());
    ready.send(post.body()).onComplete(this::head, cause -> unreachable(cause, reused));
  }

  private void head(HttpClientResponse response) {
    if (isOver()) {
      return; // too late: the request is reset already
    }
    answered = true;
    response.pause();
    boolean accepted = response.statusCode() == 200;
    Future<Buffer> body = CappedBody.read(
        client.vertx(),
        response,
        accepted ? maxBytes : client.limits().maxErrorBytes(),
        Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
    if (accepted) {
      body.onComplete(done::tryComplete, done::tryFail);
      return;
    }
    Duration retryAfter = RetryAfter.of(response.headers(), Instant.now());
    body.map(Buffer::toString)
        .otherwise("") // the status alone has to do
        .onSuccess(text -> done.tryFail(post.refusal(response.statusCode(), text, retryAfter)));
  }

  /**
   * A kept connection may have been closed just before we wrote to it: then nobody has worked for us,
   * and one fresh try is fair. A fresh connection gets none.
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
    done.tryFail(
        slow ? ProviderFailure.error(Kind.TIMEOUT, "connect") : ProviderFailure.transport(cause));
  }

  private void headIsLate() {
    HttpClientRequest running = request;
    if (!answered
        && done.tryFail(ProviderFailure.error(Kind.TIMEOUT, "headers"))
        && running != null) {
      running.reset();
    }
  }

  private boolean isOver() {
    return done.future().isComplete();
  }
}
