package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import java.util.function.BiConsumer;

/** The models asked for one answer: who was asked last, and what those cost that gave nothing. */
final class Attempts implements Engine.Listener {
  private final Engine engine;
  private final AnswerListener listener;
  private final BiConsumer<String, String> asked;
  private Bill.Call last = Bill.Call.NONE;
  private int failed;
  private long failedCostMicroUsd;

  /** @param asked hears provider and model of each call as it begins */
  Attempts(Engine engine, AnswerListener listener, BiConsumer<String, String> asked) {
    this.engine = engine;
    this.listener = listener;
    this.asked = asked;
  }

  @Override
  public void attempt(String provider, String model) {
    last = new Bill.Call(provider, model, Usage.NONE);
    asked.accept(provider, model);
  }

  @Override
  public void attemptFailed(String provider, String model, GatewayError.Code code, Usage spent) {
    listener.attempted(provider, code);
    if (code == GatewayError.Code.CANCELLED) {
      last = new Bill.Call(provider, model, spent); // not failed: stopped by us
    } else {
      failed++;
      failedCostMicroUsd += engine.costMicroUsd(provider, model, spent);
    }
  }

  /** The call that was asked last, with what it had used if it was stopped before its first text. */
  Bill.Call last() {
    return last;
  }

  Bill add(Bill bill) {
    return bill.withFailed(failed, failedCostMicroUsd);
  }
}
