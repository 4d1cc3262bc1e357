package dev.askgateway.relay;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;

/** Cuts a reader off who leaves a full buffer undrained for too long. */
public final class WriteDeadline {
  private final Vertx vertx;
  private final HttpServerRequest request;
  private final long millis;
  private final Runnable givenUp;
  private long timer = -1;

  /** @param givenUp called just before the reader is cut off */
  public WriteDeadline(
      Vertx vertx, HttpServerRequest request, Duration deadline, Runnable givenUp) {
    this.vertx = vertx;
    this.request = request;
    this.millis = deadline.toMillis();
    this.givenUp = givenUp;
  }

  /** To be called after each write to the open response. */
  public void watch() {
    if (timer < 0 && request.response().writeQueueFull()) {
      timer = vertx.setTimer(millis, fired -> giveUp());
    }
  }

  /** The buffer has room, or the response is over. */
  public void cancel() {
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }

  private void giveUp() {
    timer = -1;
    givenUp.run();
    request.response().reset();
    cut();
  }

  /**
   * HTTP/1 has no reset of its own: Vert.x closes the connection once what is queued is out, which is
   * never. What HTTP/2 resets is one stream of a connection that others may use.
   */
  private void cut() {
    boolean alone = request.version() != HttpVersion.HTTP_2;
    if (alone && request.connection() instanceof ConnectionBase stuck) {
      stuck.channelHandlerContext().close();
    }
  }
}
