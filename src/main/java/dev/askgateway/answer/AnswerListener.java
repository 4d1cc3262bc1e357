package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import java.time.Duration;

/** What answers report of themselves: names and numbers, never content. */
public interface AnswerListener {

  void started();

  /** The first text reached the feed so long after the request. */
  void firstText(Duration sinceRequest);

  void attemptFailed(String provider, GatewayError.Code code);

  /** Marks that named no source were taken out. */
  void marksDropped(int count);

  /** A leg of retrieval was left out. */
  void degraded(String leg);

  void ended(AnswerEvent.Ended end, Duration sinceRequest);

  /** The shared event log did not take an event. */
  void logFailed();
}
