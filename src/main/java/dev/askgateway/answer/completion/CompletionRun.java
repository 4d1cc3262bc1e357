package dev.askgateway.answer.completion;

import dev.askgateway.answer.Bill;
import dev.askgateway.answer.Grace;
import dev.askgateway.answer.Progress;
import dev.askgateway.answer.RequestSummary;
import dev.askgateway.answer.Tally;
import dev.askgateway.answer.completion.CompletionListener.Kind;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.provider.gate.Committed;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.store.Begun;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One completion from its hold to its one end, on one event loop. Without an idempotency key nothing
 * can be resumed, so a reader that leaves stops the model at once; with one a grace runs first. The
 * charge is this task's, not the response's: it is settled whatever becomes of the reader.
 */
final class CompletionRun {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionRun.class);

  /** The longest answer in characters (or bytes of chunks); more ends it with reason "length". */
  static final int MOST_CHARS = 16 << 20;

  /** The hold's longest term beyond the time that the models get. Ours ends before. */
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);

  private static final Duration LAST_MARGIN = Duration.ofSeconds(15);

  private final CompletionService.Rooms rooms;
  private final CompletionCommand command;
  private final PriceBook prices;
  private final Runnable settled;
  private final Context loop;
  private final Calls calls;
  private final Tally tally;
  private final Progress progress = new Progress(System.nanoTime());
  private CompletionSink sink;
  /** Only of a request that can be sent again. */
  private @Nullable Grace grace;

  private @Nullable ReplayTail replay;
  private FailoverGate.@Nullable Run gate;
  private @Nullable Committed chosen;
  private @Nullable End end;
  /** Whether the hold was taken or refused, and if it was taken. */
  private boolean answered;

  private boolean begun;
  private boolean held;
  private boolean over;
  private long timer = -1;

  /**
   * @param prices for all of it, whatever comes into force meanwhile
   * @param settled called once when all is over, the money too
   */
  CompletionRun(
      CompletionService.Rooms rooms,
      CompletionCommand command,
      PriceBook prices,
      CompletionSink sink,
      Runnable settled) {
    this.rooms = rooms;
    this.command = command;
    this.prices = prices;
    this.sink = sink;
    this.settled = settled;
    this.loop = rooms.vertx().getOrCreateContext();
    this.calls = new Calls(prices::costMicroUsd, rooms.listener(), command.caller(), progress);
    this.tally = new Tally(this::firstOutput);
  }

  private void firstOutput() {
    progress.output();
    Duration since = progress.sinceAsked();
    rooms.listener().firstOutput(since);
    span().set(SpanKey.FIRST_OUTPUT_MS, since.toMillis());
  }

  private Span span() {
    return command.caller().span();
  }

  /** Who may answer and what is held for it. */
  record Start(Plan plan, long holdMicroUsd) {}

  void start(Future<Start> planned) {
    sink.closeHandler(this::left);
    planned.onComplete(this::hold, refused -> {
      fail(refused);
      settled.run();
    });
  }

  private void hold(Start start) {
    if (over) {
      settled.run(); // it left before anything was held
      return;
    }
    Plan plan = start.plan();
    progress.held(start.holdMicroUsd());
    Duration total = plan.deadlines().total();
    timer = rooms.vertx().setTimer(total.plus(LAST_MARGIN).toMillis(), late -> late());
    Accounts.Hold hold = new Accounts.Hold(start.holdMicroUsd(), prices.version());
    span()
        .around(SpanName.HOLD_TAKE, step -> rooms
            .accounts()
            .begin(command.caller(), "completion", command.model(), hold, total.plus(LEASE_MARGIN)))
        .onComplete(held -> begun(held, plan));
  }

  private void begun(AsyncResult<Begun> hold, Plan plan) {
    answered = true;
    begun = hold.succeeded() && hold.result().fresh();
    if (begun) {
      rooms.listener().started(Kind.CHAT);
    }
    if (end != null) {
      settle(end); // it ended while the hold was taken
    } else if (hold.failed()) {
      fail(hold.cause());
    } else if (!begun) {
      again();
    } else {
      if (hold.result().dayWarned()) {
        sink.dayWarned();
      }
      sink.asked();
      record();
      gate = rooms.gate().start(command.request(), plan, calls);
      gate.committed().onComplete(this::committed);
    }
  }

  /** Keeps what is told of a request that can be sent again. */
  private void record() {
    Replays replays = rooms.replays();
    if (replays != null && command.caller().keyed()) {
      Caller caller = command.caller();
      sink = new Recording(sink, replays.writer(caller), caller.createdSeconds());
      grace = replays.grace(caller, this::leftAlone);
    }
  }

  /** It was sent before: tells what was told then. */
  private void again() {
    Replays replays = rooms.replays();
    if (replays == null || !command.caller().keyed()) {
      fail(Replays.notKept());
      return;
    }
    over = true;
    span().set(SpanKey.JOINED, true);
    rooms.vertx().cancelTimer(timer);
    ReplayTail tail =
        new ReplayTail(replays, command.caller(), "completion", ReplayReader.of(sink), settled);
    replay = tail;
    sink.drainHandler(tail::drained);
    sink.closeHandler(tail::stop);
    tail.start();
  }

  private void committed(AsyncResult<Committed> won) {
    if (over) {
      return;
    }
    if (won.failed()) {
      fail(won.cause());
      return;
    }
    Committed winner = won.result();
    chosen = winner;
    sink.drainHandler(this::drained);
    winner.stream().exceptionHandler(this::fail).endHandler(ended -> whole()).handler(this::next);
    if (sink.full()) {
      held = true;
    } else {
      winner.stream().resume();
    }
  }

  private void drained() {
    if (held && !over && chosen != null) {
      held = false;
      chosen.stream().resume();
    }
  }

  private void next(TokenEvent event) {
    if (over || chosen == null) {
      return;
    }
    event.match(tally);
    sink.write(event);
    if (tally.length() > MOST_CHARS) {
      TokenEvent.Finished cut = new TokenEvent.Finished(FinishReason.LENGTH);
      cut.match(tally);
      sink.write(cut);
      whole();
    } else if (sink.full()) {
      held = true;
      chosen.stream().pause();
    }
  }

  private void whole() {
    if (!over) {
      finish(TurnState.COMPLETED, tally.reason(), null);
      sink.end(usage());
    }
  }

  private void left() {
    if (grace == null || over) {
      finish(TurnState.CANCELLED, FinishReason.OTHER, null);
    } else {
      drained(); // whoever sends it again does not wait for a reader that is gone
      grace.begin();
    }
  }

  private void leftAlone() {
    finish(TurnState.CANCELLED, FinishReason.OTHER, null);
    sink.fail(Replays.leftAlone());
  }

  private void late() {
    fail(new GatewayError(Code.PROVIDER_TIMEOUT, "The answer took too long."));
  }

  /** Whether it is this request. */
  boolean is(UserId user, UUID requestId) {
    return command.caller().requestId().equals(requestId)
        && command.caller().user().equals(user);
  }

  /** The node goes down, or another one has it. From any thread. */
  void interrupt() {
    GatewayError interrupted =
        new GatewayError(Code.INTERRUPTED, "The answer was interrupted. Ask again.");
    loop.runOnContext(now -> {
      fail(interrupted);
      if (replay != null) {
        replay.fail(interrupted);
      }
    });
  }

  private void fail(Throwable cause) {
    if (over) {
      return;
    }
    Code code = cause instanceof GatewayError known ? known.code() : Code.INTERNAL;
    if (code == Code.INTERNAL) {
      LOG.warn(
          "completion failed: request {} cause {}",
          LogFields.request(command.caller().requestId()),
          cause.getClass().getName());
    }
    finish(TurnState.FAILED, FinishReason.ERROR, code);
    sink.fail(cause);
  }

  private void finish(TurnState state, FinishReason why, @Nullable Code error) {
    if (over) {
      return;
    }
    over = true; // first: what is stopped now may call back
    rooms.vertx().cancelTimer(timer);
    if (grace != null) {
      grace.end();
    }
    if (gate != null) {
      gate.cancel(); // without effect on a stream that has ended
    }
    end = new End(state, why, bill(state, error), error, progress.sinceAsked());
    end.trace(span());
    if (answered) {
      settle(end);
    }
  }

  private Bill bill(TurnState state, @Nullable Code error) {
    if (chosen == null) {
      return calls.none(state);
    }
    String provider = chosen.provider().name();
    rooms.listener().attempted(provider, state == TurnState.CANCELLED ? Code.CANCELLED : error);
    return calls.chosen(
        new Bill.Call(provider, chosen.provider().model(), usage()),
        state,
        tally.shown() || state == TurnState.COMPLETED);
  }

  private Usage usage() {
    return tally.usage(command.request().chars());
  }

  private void settle(End known) {
    if (!begun) {
      settled.run();
      return;
    }
    AnswerEvent.Ended told = known.event(command.model());
    rooms.listener().ended(Kind.CHAT, told, progress.sinceAsked());
    rooms
        .listener()
        .summed(progress.of(
            RequestSummary.Kind.CHAT, command.caller().requestId(), command.model(), told));
    span()
        .around(
            SpanName.TURN_FINALIZE,
            step -> rooms.accounts().finish(command.caller(), known.toJson()))
        .onComplete(done -> settled.run());
  }
}
