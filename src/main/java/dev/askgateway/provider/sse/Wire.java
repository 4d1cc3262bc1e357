package dev.askgateway.provider.sse;

import dev.askgateway.provider.http.Post;

/** One streamed request in a vendor's words, and how to read what comes back. No I/O. */
public interface Wire extends Post {

  @Override
  default String accept() {
    return "text/event-stream";
  }

  /** A fresh reader for the response of this call. */
  SseDialect dialect();
}
