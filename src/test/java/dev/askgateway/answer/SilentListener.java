package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import java.time.Duration;

/** Counts nothing. */
public final class SilentListener implements AnswerListener {
  @Override
  public void started() {}

  @Override
  public void firstText(Duration sinceRequest) {}

  @Override
  public void firstStatus(Duration sinceRequest) {}

  @Override
  public void retrieved(int windows) {}

  @Override
  public void attempted(String provider, GatewayError.Code code) {}

  @Override
  public void marksDropped(int count) {}

  @Override
  public void degraded(String leg) {}

  @Override
  public void ended(AnswerEvent.Ended end, Duration sinceRequest) {}

  @Override
  public void logFailed() {}
}
