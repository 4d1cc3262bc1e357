package dev.askgateway.answer;

import dev.askgateway.core.EmbeddingUse;
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
 * 8). Also one that was overtaken by its rival gave nothing. And what was used for the question's vector.
 */
final class Attempts implements Engine.Listener {
  private final Engine.Route route;
  private final AnswerListener listener;
  private final AttemptListener untraced;
  private final AttemptListener counted;
  private final BiConsumer<String, String> asked;
  private final List<Bill.Call> failed = new ArrayList<>(0);
  /** Stopped by us: when nobody was chosen the last of them is the one that is paid. */
  private final List<Bill.Call> stopped = new ArrayList<>(0);

  private final List<EmbeddingUse> embeddings = new ArrayList<>(1);

  private Bill.Call last = Bill.Call.NONE;

  /** @param asked hears provider and model of each call as it begins */
  Attempts(AnswerListener listener, Question question, BiConsumer<String, String> asked) {
    this.route = question.route();
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
      public void embedded(EmbeddingUse use) {
        Attempts.this.embedded(use);
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

  /** What costs nothing is counted, and on no bill. */
  @Override
  public void embedded(EmbeddingUse use) {
    long costMicroUsd = route.embeddingMicroUsd(use);
    listener.embedded(use, costMicroUsd);
    if (costMicroUsd > 0) {
      embeddings.add(use);
    }
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

  /**
   * The bill with all other calls.
   *
   * @param planning the call for the question's plan, or null
   * @param pays whether the person pays for the answer
   */
  Bill add(Bill bill, Bill.@Nullable Call planning, boolean pays) {
    failed.addAll(stopped);
    Bill whole = bill.withFailed(route, failed);
    if (planning != null) {
      whole = whole.with(route, Bill.Purpose.PLANNER, planning, pays);
    }
    for (EmbeddingUse use : embeddings) {
      Bill.Call call = new Bill.Call(use.provider(), use.model(), use.usage());
      Bill.Prices prices = (provider, model, usage) -> route.embeddingMicroUsd(use);
      whole = whole.with(prices, Bill.Purpose.EMBEDDING, call, pays);
    }
    return whole;
  }
}
