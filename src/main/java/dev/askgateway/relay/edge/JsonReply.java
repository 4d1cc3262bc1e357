package dev.askgateway.relay.edge;

import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** One completion as one JSON answer, written when it is whole. */
public final class JsonReply implements CompletionSink {
  private static final Runnable NOTHING = () -> {};

  private final HttpServerResponse response;
  private final CompletionCollector collector;
  private Runnable closed = NOTHING;
  private boolean over;

  public JsonReply(HttpServerResponse response, Answering answering) {
    this.response = response;
    this.collector = new CompletionCollector(answering);
    response.exceptionHandler(broken -> left());
    response.closeHandler(gone -> left());
  }

  @Override
  public void replayed(long createdSeconds) {
    EdgeErrors.markReplayed(response);
    collector.created(createdSeconds);
  }

  @Override
  public void dayWarned() {
    EdgeErrors.markDayWarned(response);
  }

  @Override
  public void write(TokenEvent event) {
    if (!over) {
      collector.see(event);
    }
  }

  @Override
  public boolean full() {
    return false; // whoever writes has a bound for the whole answer
  }

  @Override
  public void drainHandler(Runnable handler) {
    // never full
  }

  @Override
  public void closeHandler(Runnable handler) {
    closed = handler;
    if (over) {
      handler.run(); // it left before anybody asked
    } else if (response.closed()) {
      left();
    }
  }

  @Override
  public void end(Usage usage) {
    if (over) {
      return;
    }
    over = true;
    if (!response.closed()) {
      response
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
          .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
          // By way of a string: bytes cannot be made of half a surrogate pair.
          .end(Buffer.buffer(collector.answer(usage).encode()));
    }
  }

  @Override
  public void fail(Throwable failure) {
    if (!over) {
      over = true;
      EdgeErrors.respond(response, failure);
    }
  }

  private void left() {
    if (!over) {
      over = true;
      closed.run();
    }
  }
}
