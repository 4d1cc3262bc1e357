package dev.askgateway.answer;

import dev.askgateway.answer.completion.CompletionListener;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Route;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.gate.AttemptListener;
import java.time.Duration;
import java.util.UUID;

/** Counts nothing. */
public final class SilentListener implements AnswerListener, CompletionListener {
  @Override
  public void started() {}

  @Override
  public void firstText(Duration sinceRequest) {}

  @Override
  public void firstStatus(Duration sinceRequest) {}

  @Override
  public void retrieved(int windows) {}

  @Override
  public void routed(Route route, boolean found) {}

  @Override
  public void attempted(String provider, GatewayError.Code code) {}

  @Override
  public void marksDropped(int count) {}

  @Override
  public void cited(int sources) {}

  @Override
  public void degraded(String leg) {}

  @Override
  public void ended(AnswerEvent.Ended end, Duration sinceRequest) {}

  @Override
  public void logFailed() {}

  @Override
  public AttemptListener attempts(UUID requestId) {
    return AttemptListener.NONE;
  }

  @Override
  public void started(Kind kind) {}

  @Override
  public void firstOutput(Duration sinceRequest) {}

  @Override
  public void embedded(UUID requestId, EmbeddingModel model, Throwable failure, Duration took) {}

  @Override
  public void ended(Kind kind, AnswerEvent.Ended end, Duration sinceRequest) {}

  @Override
  public void summed(RequestSummary summary) {}
}
