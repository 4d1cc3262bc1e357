package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.AttemptSpans;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The models asked for one answer: who was asked last, and what those cost that gave nothing (decision
 * 8). Also one that was overtaken by its rival gave nothing.
 */
final class Attempts implements Engine.Listener {
  private final Bill.Prices prices;
  private final AnswerListener listener;
  private final AttemptListener untraced;
  private final AttemptListener counted;
  private final BiConsumer<String, String> asked;
  private final List<Bill.Call> failed = new ArrayList<>(0);
  /** Stopped by us: when nobody was chosen the last of them is the one that is paid. */
  private final List<Bill.Call> stopped = new ArrayList<>(0);

  private Bill.Call last = Bill.Call.NONE;

  /** @param asked hears provider and model of each call as it begins */
  Attempts(AnswerListener listener, Question question, BiConsumer<String, String> asked) {
    this.prices = question.route();
    this.listener = listener;
    this.untraced = listener.attempts(question.requestId());
    this.counted = AttemptSpans.answering(question.span(), untraced);
    this.asked = asked;
  }

  /** What the call for the plan tells: counted like the others, and traced apart from them. */
  Engine.Listener planning(Span step) {
    AttemptListener traced = AttemptSpans.planning(step, untraced);
    return new Engine.Listener() {
      @Override
      public AttemptListener counted() {
        return traced;
      }

      @Override
      public void planned(String provider, GatewayError.@Nullable Code code) {
        Attempts.this.planned(provider, code);
      }

      @Override
      public void attempt(String provider, String model) {
        Attempts.this.attempt(provider, model);
      }

      @Override
      public void attemptFailed(
          String provider, String model, GatewayError.Code code, Usage spent) {
        Attempts.this.attemptFailed(provider, model, code, spent);
      }
    };
  }

  @Override
  public AttemptListener counted() {
    return counted;
  }

  @Override
  public void planned(String provider, GatewayError.@Nullable Code code) {
    listener.attempted(provider, code);
  }

  @Override
  public void attempt(String provider, String model) {
    last = new Bill.Call(provider, model, Usage.NONE);
    asked.accept(provider, model);
  }

  @Override
  public void attemptFailed(String provider, String model, GatewayError.Code code, Usage spent) {
    listener.attempted(provider, code);
    Bill.Call call = new Bill.Call(provider, model, spent);
    (code == GatewayError.Code.CANCELLED ? stopped : failed).add(call);
  }

  /** The call that is paid when none was chosen, with what it had used if it was stopped. */
  Bill.Call last() {
    return stopped.isEmpty() ? last : stopped.remove(stopped.size() - 1);
  }

  Bill add(Bill bill) {
    failed.addAll(stopped);
    return bill.withFailed(prices, failed);
  }
}
