package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request in a vendor's words. No I/O. */
public interface Post {

  /** The absolute address to POST to. Never logged. */
  String url();

  /** The kind of answer that is asked for. */
  default String accept() {
    return "application/json";
  }

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
