package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import dev.askgateway.provider.gate.AttemptListener.Attempt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One model's attempt. Before the commit it reads ahead by itself and shows nothing; at the commit
 * what it read waits in the pump, and from then on the reader's pace is upstream's. Its permit and its
 * listener hear of one end.
 */
final class GateAttempt implements TokenPump.Source, Sorting.Taker {

  private enum State {
    WAITING,
    COMMITTED,
    OVER
  }

  /** Hears once how the attempt came out, unless it was the one who stopped it. */
  interface Owner {
    void won(GateAttempt attempt);

    /**
     * It failed before it was chosen.
     *
     * @param again whether the same model may do better later
     */
    void lost(GateAttempt attempt, GatewayError failure, boolean again);
  }

  private final GateTerms terms;
  private final Turns.Turn turn;
  private final Attempt attempt;
  private final Owner owner;
  private final long startNanos;
  private final TokenPump pump = new TokenPump(this);
  private final Held held = new Held();
  private final Sorting sorting;
  private State state = State.WAITING;
  private @Nullable ModelCall call;
  private @Nullable TokenStream upstream;
  private @Nullable Usage reported;
  private long outputChars;
  private long timer = -1;
  private long contentNanos;

  GateAttempt(GateTerms terms, Turns.Turn turn, Attempt attempt, Owner owner) {
    this.terms = terms;
    this.startNanos = terms.now();
    this.turn = turn;
    this.attempt = attempt;
    this.owner = owner;
    this.sorting = new Sorting(terms.plan().commit(), this);
  }

  ModelProvider provider() {
    return attempt.provider();
  }

  Turns.Turn turn() {
    return turn;
  }

  TokenStream stream() {
    return pump;
  }

  /** Asks the model, which has so long for its first output. */
  void start(Duration limit) {
    terms.listener().started(attempt);
    if (state == State.OVER) {
      return; // whoever heard of it has stopped it
    }
    timer = terms.vertx().setTimer(Math.max(1, limit.toMillis()), fired -> late());
    try {
      ModelCall started = ModelCall.start(attempt.provider(), terms.request(), terms.deadlines());
      call = started;
      started.opened().onComplete(this::opened, this::failed);
      if (state == State.OVER && upstream == null) {
        started.abort().run(); // stopped while it was being started
      }
    } catch (RuntimeException broken) {
      failed(broken);
    }
  }

  private void opened(TokenStream stream) {
    if (state == State.OVER) {
      stream.cancel();
      return;
    }
    upstream = stream;
    stream
        .exceptionHandler(this::failed)
        .endHandler(ended -> ended())
        .handler(event -> event.match(sorting));
    stream.resume();
  }

  @Override
  public void content(TokenEvent event, int length, boolean shown) {
    outputChars += length;
    contentNanos = terms.now();
    if (state == State.WAITING && shown) {
      commit();
      pump.offer(event);
      long nanos = terms.now() - startNanos;
      turn.permit().firstOutput(nanos);
      terms.listener().firstOutput(attempt, nanos);
      owner.won(this);
    } else {
      aside(event, length);
    }
  }

  @Override
  public void aside(TokenEvent event, int length) {
    if (state == State.COMMITTED) {
      pump.offer(event);
    } else if (state == State.WAITING && !held.add(event, length)) {
      failed(ProviderFailure.error(Kind.PROTOCOL, "too much before the first output"));
    }
  }

  @Override
  public void usage(TokenEvent.Metered event) {
    reported = event.usage();
    aside(event, 0);
  }

  private void commit() {
    state = State.COMMITTED;
    terms.vertx().cancelTimer(timer);
    contentNanos = terms.now();
    arm();
    if (upstream != null) {
      upstream.pause(); // until the reader asks
    }
    held.release(pump::offer);
  }

  private void ended() {
    State before = state;
    if (before == State.OVER) {
      return;
    }
    close();
    turn.permit().succeeded();
    terms.listener().ended(attempt, null, spent(), terms.now() - startNanos);
    if (before == State.WAITING) {
      held.release(pump::offer); // an empty but clean answer is an answer
    }
    pump.end();
    if (before == State.WAITING) {
      owner.won(this);
    }
  }

  private void failed(Throwable cause) {
    GatewayError error = ProviderFailure.transport(cause);
    Kind kind = ProviderFailure.kindOf(error);
    boolean opening = upstream == null;
    boolean again =
        switch (kind) {
          case TIMEOUT -> opening; // of connect or headers
          case RATE_LIMITED -> error.retryAfter() != null;
          default -> kind.passing();
        };
    failed(error, true, again);
  }

  /** The time for the first output is over, be it the attempt's own or what was left of the total. */
  private void late() {
    boolean full = terms.now() - startNanos >= terms.deadlines().firstDelta().toNanos();
    failed(
        ProviderFailure.error(Kind.TIMEOUT, terms.left().isZero() ? "total" : "first delta"),
        full, // one that was given less time is not to blame
        false);
  }

  private void failed(GatewayError error, boolean blamed, boolean again) {
    State before = state;
    if (before == State.OVER) {
      return;
    }
    Usage spent = spent();
    release();
    if (blamed && !terms.isOurs(error)) {
      turn.permit().failed(error);
    } else {
      turn.permit().abandoned();
    }
    long nanos = terms.now() - startNanos;
    if (before == State.COMMITTED) {
      terms.listener().ended(attempt, error, spent, nanos);
      pump.fail(error);
    } else {
      terms.listener().failed(attempt, error, spent, nanos);
      owner.lost(this, error, again);
    }
  }

  /** Stops the stream that was chosen; also told by its reader. */
  @Override
  public void cancel() {
    stop(new GatewayError(Code.CANCELLED, "The answer was stopped."));
  }

  /** Stops the attempt, or the stream it became. Its owner is not told. */
  void stop(GatewayError why) {
    State before = state;
    if (before == State.OVER) {
      pump.cancel(); // what waits for a slow reader goes too
      return;
    }
    Usage spent = spent();
    release();
    turn.permit().abandoned();
    long nanos = terms.now() - startNanos;
    if (before == State.COMMITTED) {
      terms.listener().ended(attempt, why, spent, nanos);
      pump.cancel();
    } else {
      terms.listener().failed(attempt, why, spent, nanos);
    }
  }

  private Usage spent() {
    if (reported != null) {
      return reported.withOutputAtLeast(Usage.tokens(outputChars));
    }
    return upstream == null ? Usage.NONE : Usage.estimate(terms.request().chars(), outputChars);
  }

  private void release() {
    close();
    if (upstream != null) {
      upstream.cancel();
    } else if (call != null) {
      call.abort().run();
    }
  }

  private void close() {
    state = State.OVER;
    terms.vertx().cancelTimer(timer);
  }

  @Override
  public void pause() {
    if (upstream != null && state == State.COMMITTED) {
      upstream.pause();
    }
  }

  @Override
  public void resume() {
    if (upstream != null && state == State.COMMITTED) {
      contentNanos = terms.now(); // silence while nobody asked was not upstream's
      upstream.resume();
    }
  }

  /** One timer for stall and total: it looks when content last came instead of being reset by it. */
  private void arm() {
    long now = terms.now();
    long stallNanos = contentNanos + terms.deadlines().stall().toNanos() - now;
    long endNanos = terms.endNanos() - now;
    long wait = Math.min(Math.max(stallNanos, 1_000_000), Math.max(endNanos, 1_000_000));
    timer = terms.vertx().setTimer((wait + 999_999) / 1_000_000, fired -> check());
  }

  private void check() {
    long now = terms.now();
    if (now >= terms.endNanos()) {
      // A long answer, or a slow reader: no silence of the model's.
      failed(ProviderFailure.error(Kind.TIMEOUT, "total"), false, false);
    } else if (now - contentNanos >= terms.deadlines().stall().toNanos()) {
      if (pump.isWaiting()) {
        failed(ProviderFailure.error(Kind.TIMEOUT, "stall"), true, false);
        return;
      }
      contentNanos = now;
      arm();
    } else {
      arm();
    }
  }
}
