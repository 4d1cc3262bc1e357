package dev.askgateway.provider.http;

import dev.askgateway.provider.Deadlines;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/** One JSON request that is answered as a whole, such as for embeddings, bounded in bytes and time. */
public final class JsonCall {
  private JsonCall() {}

  /**
   * Sends the request, on the caller's event loop.
   *
   * @param deadlines {@code connect} and {@code headers} bound what they say, {@code total} all of it
   * @param maxBytes longest response
   * @return the body of a 200, or a {@link dev.askgateway.core.GatewayError} with {@link
   *     dev.askgateway.provider.ProviderFailure} as its cause
   */
  public static Future<Buffer> post(
      UpstreamClient client, Deadlines deadlines, Post post, int maxBytes) {
    Duration total = deadlines.total();
    Duration head = deadlines.headers().compareTo(total) < 0 ? deadlines.headers() : total;
    long endNanos = System.nanoTime() + total.toNanos();
    return new PostCall(client, post, deadlines.connect(), head).send().compose(response -> {
      Duration left = Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
      return CappedBody.read(client.vertx(), response, maxBytes, left);
    });
  }
}
