package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the promise that everything begun ends: ends the answers and completions of nodes that no longer
 * renew their leases, with what the shared log still knows of them.
 */
public final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final int SWEEP_AT_ONCE = 20;

  private final Vertx vertx;
  private final TurnRepository turns;
  private final EventLog<AnswerEvent> log;
  private final Function<String, Bill.Prices> prices;
  private final AnswerConfig config;
  private final String node;
  private final Finisher finisher;
  private final LongSupplier nanos;
  private long timer = -1;
  private boolean sweeping;
  private volatile Future<Void> swept = Future.succeededFuture();

  /** While the database was away nobody could renew: those who live have a lease's time to do so first. */
  private long notBeforeNanos;

  /** @param prices of the book with this version */
  public Sweeper(
      Vertx vertx,
      TurnRepository turns,
      EventLog<AnswerEvent> log,
      Function<String, Bill.Prices> prices,
      AnswerConfig config,
      String node,
      Finisher finisher) {
    this(vertx, turns, log, prices, config, node, finisher, System::nanoTime);
  }

  Sweeper(
      Vertx vertx,
      TurnRepository turns,
      EventLog<AnswerEvent> log,
      Function<String, Bill.Prices> prices,
      AnswerConfig config,
      String node,
      Finisher finisher,
      LongSupplier nanos) {
    this.vertx = vertx;
    this.turns = turns;
    this.log = log;
    this.prices = prices;
    this.config = config;
    this.node = node;
    this.finisher = finisher;
    this.nanos = nanos;
    this.notBeforeNanos = nanos.getAsLong();
  }

  /**
   * On an event loop, where it stays.
   *
   * @param running what runs here and is left alone
   */
  public void start(Supplier<List<TurnRepository.Running>> running) {
    timer = vertx.setPeriodic(config.sweepInterval().toMillis(), id -> sweep(running));
  }

  /** Claims nothing more. Complete when what was claimed is ended. */
  public Future<Void> stop() {
    vertx.cancelTimer(timer);
    return swept;
  }

  private void sweep(Supplier<List<TurnRepository.Running>> running) {
    if (sweeping || nanos.getAsLong() - notBeforeNanos < 0) {
      return;
    }
    sweeping = true;
    swept = turns
        .claimLapsed(node, config.lease(), SWEEP_AT_ONCE)
        .compose(lapsed -> endAll(lapsed, running))
        .onComplete(done -> {
          sweeping = false;
          if (done.failed()) {
            notBeforeNanos = nanos.getAsLong() + config.lease().toNanos();
            LOG.warn("sweep failed: {}", Diagnosis.of(done.cause()));
          }
        })
        .otherwiseEmpty();
  }

  /** What still runs here has its lease back by the claim, and goes on. */
  private Future<Void> endAll(
      List<TurnRepository.Lapsed> lapsed, Supplier<List<TurnRepository.Running>> running) {
    Future<Void> done = Future.succeededFuture();
    for (TurnRepository.Lapsed one : lapsed) {
      done = done.compose(before ->
              running.get().contains(new TurnRepository.Running(one.user(), one.requestId()))
                  ? Future.<Void>succeededFuture()
                  : end(one))
          .otherwiseEmpty();
    }
    return done;
  }

  private Future<Void> end(TurnRepository.Lapsed lapsed) {
    return turns.priceBook(lapsed.user(), lapsed.requestId()).compose(priceBook -> LogTail.whole(
            log, lapsed.user(), lapsed.assistantTurnId())
        .otherwise(List.of())
        .compose(events -> end(lapsed, events, prices.apply(priceBook))));
  }

  private Future<Void> end(
      TurnRepository.Lapsed lapsed, List<AnswerEvent> events, Bill.Prices prices) {
    Transcript transcript = Transcript.of(events);
    JsonObject end = ending(transcript, prices).toJson(transcript, null, Duration.ZERO);
    return finisher
        .finish(lapsed.user(), lapsed.requestId(), end)
        .compose(stored -> tell(lapsed, events.size(), new StoredAnswer(stored)))
        .onSuccess(ended -> LOG.info(
            "ended what was interrupted: request {}", LogFields.request(lapsed.requestId())));
  }

  /** The answer's own end if its node got as far as telling it, else interrupted. */
  private static Ending ending(Transcript transcript, Bill.Prices prices) {
    AnswerEvent.Ended told = transcript.ended();
    if (told == null) {
      return new Ending(
          TurnState.FAILED,
          FinishReason.ERROR,
          Bill.of(prices, transcript.call(), TurnState.FAILED, transcript.hasText()),
          GatewayError.Code.INTERRUPTED);
    }
    Bill.Call call = new Bill.Call(told.provider(), told.model(), told.usage());
    return new Ending(
        told.state(),
        told.finishReason(),
        Bill.of(prices, call, told.state(), transcript.hasText()),
        told.error() == null ? null : told.error().code());
  }

  /** Readers on other nodes learn the end from the log; without it they ask the database. */
  private Future<Void> tell(TurnRepository.Lapsed lapsed, long position, StoredAnswer stored) {
    return log.append(lapsed.user(), lapsed.assistantTurnId(), position, List.of(stored.ended()))
        .otherwiseEmpty();
  }
}
