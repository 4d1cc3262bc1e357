package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.CancelSignals;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All answers of this process. Begins them, lets readers join them wherever they run, stops them, and
 * with its {@link Keeper} sees to it that each ends. Shared by all event loops.
 */
public final class AnswerService implements Answers {
  private final Vertx vertx;
  private final TurnRepository turns;
  private final Engine engine;
  private final EventLog<AnswerEvent> log;
  private final CancelSignals signals;
  private final AnswerRun.Rooms rooms;
  private final Opening opening;
  private final Keeper keeper;
  private final ConcurrentHashMap<Key, Placed<AnswerRun>> running = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Key, LogTail> tails = new ConcurrentHashMap<>();

  private record Key(UserId user, UUID requestId) {}

  private record Placed<T>(T what, Loop loop) {}

  /**
   * @param node names this process in leases: unique among all that run
   * @param clock the time of questions that bring none of their own
   */
  public AnswerService(
      Vertx vertx,
      TurnRepository turns,
      EventLog<AnswerEvent> log,
      CancelSignals signals,
      Engine engine,
      AnswerConfig config,
      AnswerListener listener,
      Clock clock,
      String node) {
    this(vertx, turns, log, signals, engine, config, listener, clock, node, System::nanoTime);
  }

  /** The same, whose leases are in a time of their own. */
  public AnswerService(
      Vertx vertx,
      TurnRepository turns,
      EventLog<AnswerEvent> log,
      CancelSignals signals,
      Engine engine,
      AnswerConfig config,
      AnswerListener listener,
      Clock clock,
      String node,
      LongSupplier nanos) {
    this.vertx = vertx;
    this.turns = turns;
    this.engine = engine;
    this.log = log;
    this.signals = signals;
    Finisher finisher = new Finisher(vertx, turns::finish, node);
    this.rooms = new AnswerRun.Rooms(turns, finisher, config, listener);
    this.opening = new Opening(config, clock, node);
    this.keeper = new Keeper(
        vertx,
        turns,
        config,
        node,
        new Sweeper(vertx, turns, log, engine::prices, config, node, finisher, nanos),
        nanos);
  }

  /** Starts listening for stops, renewing leases and sweeping. */
  public void start() {
    start(List::of);
  }

  /**
   * The same on a node where more than answers runs.
   *
   * @param besides what runs here beside answers, and is not swept
   */
  public void start(Supplier<List<TurnRepository.Running>> besides) {
    signals.listen(this::cancelHere);
    keeper.start(charges(), besides);
  }

  private Keeper.Charges charges() {
    return new Keeper.Charges() {
      @Override
      public List<TurnRepository.Running> running() {
        return running.keySet().stream()
            .map(key -> new TurnRepository.Running(key.user(), key.requestId()))
            .toList();
      }

      @Override
      public void cancelled(UserId user, UUID requestId) {
        cancelHere(user, requestId);
      }

      @Override
      public void lost(UserId user, UUID requestId) {
        here(user, requestId, AnswerRun::interrupt);
      }
    };
  }

  @Override
  public Future<Void> ask(AskCommand command, AnswerSink sink) {
    Loop loop = Loop.current(vertx);
    long askedNanos = System.nanoTime();
    Span span = command
        .span()
        .child(SpanName.ASSISTANT_REQUEST)
        .set(SpanKey.REQUEST_ID, command.requestId())
        .named(SpanKey.PROFILE, command.profile());
    return engine
        .route(command.user(), command.profile(), command.question())
        .compose(route -> span.around(
                SpanName.THREAD_LOAD,
                load -> turns.begin(opening.begin(command, route), route.arm()))
            .compose(row -> {
              if (!row.getBoolean("begun")) {
                return follow(command.user(), new StoredAnswer(row), sink, loop)
                    .onSuccess(told -> span.set(SpanKey.JOINED, true).end());
              }
              run(command, route, row, askedNanos, span, sink, loop);
              return Future.<Void>succeededFuture();
            }))
        .onComplete(begun -> {
          if (begun.failed()) {
            span.end(begun);
          }
        });
  }

  private void run(
      AskCommand command,
      Engine.Route route,
      JsonObject row,
      long askedNanos,
      Span span,
      AnswerSink sink,
      Loop loop) {
    StoredAnswer begun = new StoredAnswer(row);
    Key key = new Key(command.user(), command.requestId());
    AnswerRun run = new AnswerRun(
        vertx,
        loop,
        rooms,
        opening.question(command, route, row, begun, askedNanos, span),
        new LogWriter<>(
            vertx, loop, log, command.user(), begun.assistantTurnId(), rooms.listener()::logFailed),
        () -> running.remove(key));
    running.put(key, new Placed<>(run, loop));
    loop.run(() -> {
      run.feed().subscribe(sink, loop);
      run.start();
    });
  }

  @Override
  public Future<Boolean> attach(UserId user, UUID requestId, AnswerSink sink) {
    Loop loop = Loop.current(vertx);
    Placed<AnswerRun> here = running.get(new Key(user, requestId));
    if (here != null) {
      return join(here.what().feed(), sink, loop).map(true);
    }
    return turns
        .find(user, requestId)
        .compose(found -> found.isEmpty()
            ? Future.succeededFuture(false)
            : follow(user, new StoredAnswer(found.get()), sink, loop).map(true));
  }

  private Future<Void> follow(UserId user, StoredAnswer stored, AnswerSink sink, Loop loop) {
    Placed<AnswerRun> here = running.get(new Key(user, stored.ids().requestId()));
    if (here != null) {
      return join(here.what().feed(), sink, loop);
    }
    if (!stored.state().terminal()) {
      return join(tail(user, stored, loop).feed(), sink, loop);
    }
    if (stored.isKept()) {
      replay(stored.replay(), sink, loop);
      return Future.succeededFuture();
    }
    return LogTail.whole(log, user, stored.assistantTurnId())
        .otherwise(List.of())
        .compose(events -> {
          boolean whole = stored.isSearch()
              && !events.isEmpty()
              && events.get(events.size() - 1) instanceof AnswerEvent.Ended;
          if (!whole) {
            return Future.failedFuture(stored.gone());
          }
          replay(events, sink, loop);
          return Future.succeededFuture();
        });
  }

  private static Future<Void> join(Feed feed, AnswerSink sink, Loop loop) {
    return feed.subscribe(sink, loop)
        ? Future.succeededFuture()
        : Future.failedFuture(new GatewayError(
            GatewayError.Code.OVERLOADED, "Too many readers follow this answer already."));
  }

  private static void replay(List<AnswerEvent> events, AnswerSink sink, Loop loop) {
    Feed feed = new Feed(loop, NOBODY);
    events.forEach(feed::emit);
    feed.subscribe(sink, loop);
  }

  private static final Feed.Watcher NOBODY = new Feed.Watcher() {
    @Override
    public void readers(int count) {
      // a replay goes on for whoever reads it
    }

    @Override
    public void slow(boolean slow) {
      // and is already written
    }
  };

  private LogTail tail(UserId user, StoredAnswer stored, Loop loop) {
    Key key = new Key(user, stored.ids().requestId());
    return tails.computeIfAbsent(key, absent -> {
      LogTail[] made = new LogTail[1];
      made[0] = new LogTail(
          vertx,
          loop,
          log,
          LogTail.Stored.of(turns, user, key.requestId()),
          user,
          stored.assistantTurnId(),
          rooms.config().grace(),
          () -> tails.remove(key, made[0]));
      return made[0];
    });
  }

  @Override
  public Future<Boolean> cancel(UserId user, UUID requestId) {
    if (cancelHere(user, requestId)) {
      return Future.succeededFuture(true);
    }
    return turns
        .requestCancel(user, requestId)
        .compose(wasRunning -> wasRunning
            ? signals.send(user, requestId).otherwiseEmpty().map(true)
            : Future.succeededFuture(false));
  }

  private boolean cancelHere(UserId user, UUID requestId) {
    return here(user, requestId, AnswerRun::cancel);
  }

  private boolean here(UserId user, UUID requestId, Consumer<AnswerRun> act) {
    Placed<AnswerRun> run = running.get(new Key(user, requestId));
    if (run != null) {
      run.loop().run(() -> act.accept(run.what()));
    }
    return run != null;
  }

  /** How many answers run here. */
  public int running() {
    return running.size();
  }

  /** Ends no more answers of dead nodes. Complete when those that were claimed are ended. */
  public Future<Void> stopSweeping() {
    return keeper.stopSweeping();
  }

  /**
   * Lets running answers end by themselves for a while, then interrupts them. Leases are renewed and
   * stops heard meanwhile.
   */
  public Future<Void> drain(Duration patience) {
    return new Draining(vertx, running::isEmpty, this::interrupt)
        .within(patience)
        .onComplete(done -> keeper.stop());
  }

  private void interrupt() {
    running.keySet().forEach(key -> here(key.user(), key.requestId(), AnswerRun::interrupt));
  }
}
