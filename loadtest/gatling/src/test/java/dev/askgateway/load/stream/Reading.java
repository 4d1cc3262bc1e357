package dev.askgateway.load.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Reads the lines of one stream as they come. */
final class Reading implements Flow.Subscriber<String> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATA = "data: ";

  private final Wire wire;
  private final Told told;
  private final Turn turn;
  private final CompletableFuture<Told> over = new CompletableFuture<>();
  private Flow.Subscription lines;

  Reading(Wire wire, Told told, Turn turn) {
    this.wire = wire;
    this.told = told;
    this.turn = turn;
  }

  /** Completes at the end of the stream, or when it was left; fails when the connection breaks. */
  CompletableFuture<Told> over() {
    return over;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    lines = subscription;
    over.whenComplete(
        (ended, failure) -> subscription.cancel()); // also for whoever waited too long
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    if (over.isDone() || !line.startsWith(DATA)) {
      return; // comments and blank lines
    }
    String data = line.substring(DATA.length());
    if (data.equals("[DONE]")) {
      told.marked();
      return;
    }
    int before = told.deltas();
    try {
      wire.read(JSON.readTree(data), told);
    } catch (JsonProcessingException broken) {
      over.completeExceptionally(new IllegalStateException("an event is no JSON"));
      return;
    }
    if (told.deltas() > before && told.deltas() == turn.afterDeltas()) {
      turn();
    }
  }

  private void turn() {
    if (turn.leaves()) {
      told.leave();
      over.complete(told);
      lines.cancel();
    } else {
      turn.action().run();
    }
  }

  @Override
  public void onError(Throwable failure) {
    over.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    told.over();
    over.complete(told);
  }
}
