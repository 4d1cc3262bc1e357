package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.gate.AttemptListener;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The models asked for one answer: who was asked last, and what those cost that gave nothing (decision
 * 8). Also one that was overtaken by its rival gave nothing.
 */
final class Attempts implements Engine.Listener {
  private final Bill.Prices prices;
  private final AnswerListener listener;
  private final AttemptListener counted;
  private final BiConsumer<String, String> asked;
  private final List<Bill.Call> failed = new ArrayList<>(0);
  /** Stopped by us: when nobody was chosen the last of them is the one that is paid. */
  private final List<Bill.Call> stopped = new ArrayList<>(0);

  private Bill.Call last = Bill.Call.NONE;

  /** @param asked hears provider and model of each call as it begins */
  Attempts(
      Bill.Prices prices,
      AnswerListener listener,
      UUID requestId,
      BiConsumer<String, String> asked) {
    this.prices = prices;
    this.listener = listener;
    this.counted = listener.attempts(requestId);
    this.asked = asked;
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
