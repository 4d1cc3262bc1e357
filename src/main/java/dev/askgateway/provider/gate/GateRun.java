package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.gate.AttemptListener.Attempt;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates' loop: which model is next, when one is asked again or beside another, and what to say
 * when none is left. At most two attempts run at a time.
 */
final class GateRun implements FailoverGate.Run, GateAttempt.Owner {
  private final GateTerms terms;
  private final Plan plan;
  private final Turns turns;
  private final Verdict verdict = new Verdict();
  private final Promise<Committed> committed = Promise.promise();
  private final List<GateAttempt> running = new ArrayList<>(2);
  private @Nullable GateAttempt chosen;
  private int started;
  private int repeats;
  private boolean hedged;

  /** A model refused the request late: one other may be asked, which then is the last. */
  private boolean lastChance;

  private boolean noMore;
  private long hedgeTimer = -1;
  private long repeatTimer = -1;

  GateRun(GateTerms terms) {
    this.terms = terms;
    this.plan = terms.plan();
    this.turns = new Turns(plan.candidates(), terms.nanos());
  }

  @Override
  public Future<Committed> committed() {
    return committed.future();
  }

  void begin() {
    plan.mayHedge().requested();
    next();
  }

  @Override
  public void cancel() {
    terms.vertx().cancelTimer(hedgeTimer);
    terms.vertx().cancelTimer(repeatTimer);
    stopRunning("The answer was stopped.");
    if (chosen != null) {
      chosen.cancel();
    }
    // Last: by then the listener has heard what was spent. Nothing above starts another attempt.
    committed.tryFail(new GatewayError(Code.CANCELLED, "The answer was stopped."));
  }

  private void stopRunning(String why) {
    List<GateAttempt> losers = List.copyOf(running);
    running.clear();
    losers.forEach(loser -> loser.stop(new GatewayError(Code.CANCELLED, why)));
  }

  private void next() {
    if (isOver()) {
      return;
    }
    if (isSpent()) {
      giveUp();
      return;
    }
    Turns.Turn turn = turns.untried();
    if (turn != null) {
      start(turn, false, !turns.hasUntried());
    } else if (lastChance) {
      giveUp();
    } else {
      repeat();
    }
  }

  private void repeat() {
    Turns.Repeat repeat = turns.repeat(terms.backoff().delay(repeats++), terms.left());
    if (repeat == null) {
      giveUp();
      return;
    }
    // Rounded up: never earlier than upstream asked.
    long millis = Math.max(1, (repeat.delay().toNanos() + 999_999) / 1_000_000);
    repeatTimer = terms.vertx().setTimer(millis, fired -> again(repeat.seat()));
  }

  private void again(Turns.Seat seat) {
    if (isOver()) {
      return;
    }
    Turns.Turn turn = turns.admit(seat);
    if (turn == null) {
      repeat();
    } else {
      start(turn, false, !turns.hasRepeats());
    }
  }

  /** The last, after which nobody comes, may use what is left of the total. */
  private void start(Turns.Turn turn, boolean hedge, boolean last) {
    started++;
    noMore |= lastChance;
    Duration left = terms.left();
    Duration firstDelta = terms.deadlines().firstDelta();
    boolean shorter = !last && !noMore && started < plan.attempts();
    Attempt attempt = new Attempt(started, hedge, turn.candidate().provider());
    GateAttempt one = new GateAttempt(terms, turn, attempt, this);
    running.add(one);
    if (!hedge) {
      armHedge();
    }
    one.start(shorter && firstDelta.compareTo(left) < 0 ? firstDelta : left);
  }

  private void armHedge() {
    terms.vertx().cancelTimer(hedgeTimer);
    if (plan.parallel() > 1 && !hedged) {
      long millis = Math.max(1, plan.hedgeAfter().toMillis());
      hedgeTimer = terms.vertx().setTimer(millis, fired -> hedge());
    }
  }

  /** No output in time: a second model is asked as well, at most once for a request. */
  private void hedge() {
    boolean possible = running.size() == 1 && !isOver() && !isSpent() && turns.hasUntried();
    if (!possible || !plan.mayHedge().getAsBoolean()) {
      return;
    }
    Turns.Turn turn = turns.untried();
    if (turn != null) {
      hedged = true;
      start(turn, true, !turns.hasUntried());
    }
  }

  @Override
  public void won(GateAttempt attempt) {
    terms.vertx().cancelTimer(hedgeTimer);
    running.remove(attempt);
    chosen = attempt;
    stopRunning("Another model was faster.");
    committed.tryComplete(new Committed(attempt.stream(), attempt.provider()));
  }

  @Override
  public void lost(GateAttempt attempt, GatewayError failure, boolean again) {
    running.remove(attempt);
    verdict.remember(failure);
    turns.failed(attempt.turn(), failure, again, terms.backoff().mostAsked());
    switch (ProviderFailure.kindOf(failure).elsewhere()) {
      case NO -> noMore = true;
      case ONE -> {
        noMore |= lastChance || !running.isEmpty(); // its rival is the one other
        lastChance = true;
      }
      case YES -> {}
    }
    if (running.isEmpty()) {
      next();
    }
  }

  private boolean isOver() {
    return committed.future().isComplete();
  }

  private boolean isSpent() {
    return noMore || started >= plan.attempts() || terms.left().isZero();
  }

  private void giveUp() {
    terms.vertx().cancelTimer(hedgeTimer);
    committed.tryFail(verdict.of(turns));
  }
}
