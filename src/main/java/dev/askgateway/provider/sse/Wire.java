package dev.askgateway.provider.sse;

import dev.askgateway.core.GatewayError;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One streamed request in a vendor's words, and how to read what comes back. No I/O. */
public interface Wire {

  /** The absolute address to POST to. Never logged. */
  String url();

  /** Adds the vendor's own headers, the key among them. */
  void headers(MultiMap headers);

  /** The body, JSON. */
  Buffer body();

  /** A fresh reader for the response of this call. */
  SseDialect dialect();

  /**
   * The error for a status other than 200.
   *
   * @param body as far as it could be read, "" for nothing
   * @param retryAfter what the headers asked for
   */
  GatewayError refusal(int status, String body, @Nullable Duration retryAfter);
}
