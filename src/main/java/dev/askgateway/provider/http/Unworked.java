package dev.askgateway.provider.http;

import io.vertx.core.http.GoAway;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;

/** Tells a request that nobody has worked on: sending it once more costs nothing. */
final class Unworked {
  /** HTTP/2's REFUSED_STREAM (RFC 9113, 8.7). */
  private static final long REFUSED_STREAM = 7;

  private Unworked() {}

  /**
   * Whether one fresh try is fair. Over HTTP/2 the server says so: it refused the stream, or went away
   * after an earlier one. Otherwise a kept connection may have been closed, or spoilt by stray bytes,
   * just before we wrote to it; a fresh one may not.
   *
   * @param reused whether the connection had been used before
   */
  static boolean isFree(Throwable cause, HttpClientRequest request, boolean reused) {
    if (cause instanceof StreamResetException reset) {
      return reset.getCode() == REFUSED_STREAM;
    }
    GoAway goAway = cause instanceof HttpClosedException closed ? closed.goAway() : null;
    return goAway == null ? reused : request.streamId() > goAway.getLastStreamId();
  }
}
