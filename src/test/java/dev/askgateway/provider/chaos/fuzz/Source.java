package dev.askgateway.provider.chaos.fuzz;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** A response whose bytes are all here already: gives them out as fast as it is asked, then ends. */
final class Source {

  /** How the bytes end. */
  enum Ending {
    /** The body is complete. */
    CLEAN,
    /** The connection breaks. */
    BROKEN
  }

  private final Queue<Buffer> chunks;
  private final Ending ending;
  private final HttpClientResponse response = StandIn.as(HttpClientResponse.class, this);
  private final HttpClientRequest request = StandIn.as(HttpClientRequest.class, new Request());
  private Handler<Buffer> bytes = chunk -> {};
  private Handler<Throwable> broken = cause -> {};
  private Handler<Void> ended = nothing -> {};
  private long demand = Long.MAX_VALUE;
  private boolean giving;
  private boolean over;
  private boolean open;
  private int resets;
  private int resetsWhenOver;

  Source(List<Buffer> chunks, Ending ending) {
    this.chunks = new ArrayDeque<>(chunks);
    this.ending = ending;
  }

  HttpClientResponse asResponse() {
    return response;
  }

  /** From now on bytes come: a response says nothing before its caller has it. */
  void start() {
    open = true;
    give();
  }

  boolean over() {
    return over;
  }

  /** How often the caller has reset it; once is right. */
  int resets() {
    return resets;
  }

  /** How often it was reset when the connection was no longer the caller's. */
  int resetsWhenOver() {
    return resetsWhenOver;
  }

  private void give() {
    if (giving || !open) {
      return;
    }
    giving = true;
    while (!over && demand > 0 && !chunks.isEmpty()) {
      demand -= demand == Long.MAX_VALUE ? 0 : 1;
      bytes.handle(chunks.remove());
    }
    giving = false;
    if (!over && demand > 0) {
      over = true;
      if (ending == Ending.CLEAN) {
        ended.handle(null);
      } else {
        broken.handle(new HttpClosedException("Connection was closed"));
      }
    }
  }

  HttpClientResponse pause() {
    demand = 0;
    return response;
  }

  HttpClientResponse resume() {
    return fetch(Long.MAX_VALUE);
  }

  HttpClientResponse fetch(long amount) {
    demand = amount > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + amount;
    give();
    return response;
  }

  HttpClientResponse handler(Handler<Buffer> handler) {
    bytes = handler;
    return response;
  }

  HttpClientResponse exceptionHandler(Handler<Throwable> handler) {
    broken = handler;
    return response;
  }

  HttpClientResponse endHandler(Handler<Void> handler) {
    ended = handler;
    return response;
  }

  HttpClientRequest request() {
    return request;
  }

  /** The way back to the server. */
  private final class Request {
    Future<Void> reset() {
      resets++;
      if (over) {
        resetsWhenOver++;
      } else {
        over = true;
        chunks.clear();
        broken.handle(new StreamResetException(0)); // as the client tells whoever reads
      }
      return Future.succeededFuture();
    }
  }
}
