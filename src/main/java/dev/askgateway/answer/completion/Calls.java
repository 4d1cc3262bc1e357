package dev.askgateway.answer.completion;

import dev.askgateway.answer.Bill;
import dev.askgateway.answer.Progress;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.AttemptSpans;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The models asked for one completion, and what those cost that gave nothing (decision 8). */
final class Calls implements AttemptListener {
  private final Bill.Prices prices;
  private final CompletionListener listener;
  private final AttemptListener counted;
  private final Progress progress;
  private final List<Bill.Call> failed = new ArrayList<>(0);
  /** Stopped by us: with the reader gone the last of them is the one that is paid. */
  private final List<Bill.Call> stopped = new ArrayList<>(0);

  private Bill.Call last = Bill.Call.NONE;

  /** @param progress is told of each call */
  Calls(Bill.Prices prices, CompletionListener listener, Caller caller, Progress progress) {
    this.prices = prices;
    this.listener = listener;
    this.progress = progress;
    this.counted = AttemptSpans.answering(caller.span(), listener.attempts(caller.requestId()));
  }

  @Override
  public void started(Attempt attempt) {
    counted.started(attempt);
    progress.called(attempt.provider().name(), attempt.provider().model());
    last = call(attempt.provider(), Usage.NONE);
  }

  @Override
  public void firstOutput(Attempt attempt, long nanos) {
    counted.firstOutput(attempt, nanos);
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
    counted.failed(attempt, error, spent, nanos);
    listener.attempted(attempt.provider().name(), error.code());
    Bill.Call call = call(attempt.provider(), spent);
    (error.code() == GatewayError.Code.CANCELLED ? stopped : failed).add(call);
  }

  @Override
  public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    counted.ended(attempt, failure, used, nanos);
  }

  private static Bill.Call call(ModelProvider provider, Usage usage) {
    return new Bill.Call(provider.name(), provider.model(), usage);
  }

  /** The bill of a completion that a model was chosen for. */
  Bill chosen(Bill.Call call, TurnState state, boolean paid) {
    failed.addAll(stopped);
    return bill(call, state, paid);
  }

  /** The bill of one that ended before. */
  Bill none(TurnState state) {
    Bill.Call call = stopped.isEmpty() ? last : stopped.remove(stopped.size() - 1);
    failed.addAll(stopped);
    return bill(call, state, false);
  }

  private Bill bill(Bill.Call call, TurnState state, boolean paid) {
    return Bill.of(prices, call, state, paid).withFailed(prices, failed);
  }
}
