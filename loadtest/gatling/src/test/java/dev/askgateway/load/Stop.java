package dev.askgateway.load;

import dev.askgateway.load.stream.EventStreams;
import java.util.concurrent.CompletableFuture;

/** The button that stops an answer, pressed at most once while its stream is read. */
final class Stop implements Runnable {
  private final EventStreams streams;
  private final String path;
  private final String token;
  private CompletableFuture<Integer> status = CompletableFuture.completedFuture(200);
  private long pressedAt;

  Stop(EventStreams streams, String path, String token) {
    this.streams = streams;
    this.path = path;
    this.token = token;
  }

  @Override
  public void run() {
    pressedAt = System.currentTimeMillis();
    status = streams.command(path, token);
  }

  /** Milliseconds since the epoch; 0 if the answer was over before. */
  long pressedAt() {
    return pressedAt;
  }

  /** What is wrong with the reply to it: 202, or 200 for who was too late, is nothing. To be asked at the end. */
  CompletableFuture<String> fault() {
    return status.thenApply(code -> code == 200 || code == 202 ? "" : "stop: status " + code);
  }
}
