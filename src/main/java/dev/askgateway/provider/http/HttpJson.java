package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Small JSON documents of other servers, such as the keys of a token issuer. */
public final class HttpJson {
  private final UpstreamClient client;

  public HttpJson(UpstreamClient client) {
    this.client = client;
  }

  /**
   * GETs a JSON object, on the caller's event loop.
   *
   * @param timeout of the whole exchange
   * @param maxBytes longest document
   * @return the object, or {@code DEPENDENCY_UNAVAILABLE} for everything else: no answer, another
   *     status than 200, a redirect, too long, not an object. The cause says which, fit for a log
   */
  public Future<JsonObject> get(String url, Duration timeout, int maxBytes) {
    return exchange(HttpMethod.GET, url, null, timeout, maxBytes);
  }

  /** PUTs one and hands on the object that comes back, as {@link #get} does. */
  public Future<JsonObject> put(String url, JsonObject body, Duration timeout, int maxBytes) {
    return exchange(HttpMethod.PUT, url, body.toBuffer(), timeout, maxBytes);
  }

  private Future<JsonObject> exchange(
      HttpMethod method, String url, @Nullable Buffer body, Duration timeout, int maxBytes) {
    long endNanos = System.nanoTime() + timeout.toNanos();
    return send(method, url, body, timeout)
        .compose(response -> {
          response.pause();
          if (response.statusCode() != 200) {
            response.exceptionHandler(reset -> {}); // ours: not worth the client's error log
            response.request().reset();
            return Future.failedFuture(ProviderFailure.error(
                ProviderFailure.Kind.UNAVAILABLE, "status " + response.statusCode()));
          }
          Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
          return CappedBody.read(client.vertx(), response, maxBytes, left);
        })
        .map(HttpJson::object)
        .recover(cause -> Future.failedFuture(new GatewayError(
            Code.DEPENDENCY_UNAVAILABLE,
            "A service that is needed does not answer.",
            ProviderFailure.transport(cause).getCause())));
  }

  private Future<HttpClientResponse> send(
      HttpMethod method, String url, @Nullable Buffer body, Duration timeout) {
    return client.request(method, url, timeout).compose(request -> {
      request.putHeader(HttpHeaders.ACCEPT, "application/json");
      return limited(request, body, timeout);
    });
  }

  private Future<HttpClientResponse> limited(
      HttpClientRequest request, @Nullable Buffer body, Duration timeout) {
    long timer = client.vertx().setTimer(timeout.toMillis(), fired -> request.reset());
    Future<HttpClientResponse> sent = body == null
        ? request.send()
        : request.putHeader(HttpHeaders.CONTENT_TYPE, "application/json").send(body);
    return sent.onComplete(answered -> client.vertx().cancelTimer(timer));
  }

  private static JsonObject object(Buffer body) {
    try {
      @Nullable JsonObject object = body.toJsonObject();
      if (object != null) {
        return object;
      }
    } catch (DecodeException | ClassCastException notAnObject) {
      // Said below: the parser's own message quotes the document.
    }
    throw ProviderFailure.error(ProviderFailure.Kind.PROTOCOL, "not a JSON object");
  }
}
