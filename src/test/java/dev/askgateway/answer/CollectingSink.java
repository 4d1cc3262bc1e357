package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A reader that keeps everything, can be waited for, and can leave. */
class CollectingSink implements AnswerSink {
  final List<AnswerEvent> events = new CopyOnWriteArrayList<>();
  private final Promise<List<AnswerEvent>> ended = Promise.promise();
  private final Promise<Void> firstText = Promise.promise();
  private volatile Runnable closed = () -> {};

  Future<List<AnswerEvent>> ended() {
    return ended.future();
  }

  Future<Void> firstText() {
    return firstText.future();
  }

  String text() {
    return Transcript.of(events).text();
  }

  AnswerEvent.Ended end() {
    return Transcript.of(events).ended();
  }

  void leave() {
    closed.run();
  }

  @Override
  public void write(AnswerEvent event) {
    events.add(event);
    if (event instanceof AnswerEvent.Text) {
      firstText.tryComplete();
    }
    if (event instanceof AnswerEvent.Ended) {
      ended.tryComplete(events);
    }
  }

  @Override
  public boolean full() {
    return false;
  }

  @Override
  public void drainHandler(Runnable handler) {
    // never full
  }

  @Override
  public void closeHandler(Runnable handler) {
    closed = handler;
  }
}
