package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.Citation;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One answer from its begun turn to its one terminal, on one event loop. The server owns it: readers
 * come and go at its feed, and however it ends, what it used is stored and settled first.
 */
final class AnswerRun implements Feed.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerRun.class);

  static final String NO_EVIDENCE =
      "I found nothing about that in your conversations. It may help to name a person, a chat or a"
          + " date.";
  static final String NO_TEXT = "The model gave no answer to this.";
  static final String FILTERED = "The model declined to answer this.";

  private final Vertx vertx;
  private final Rooms rooms;
  private final Question question;
  private final Feed feed;
  private final LogWriter log;
  private final Transcript transcript = new Transcript();
  private final Runnable over;
  private final long startedNanos = System.nanoTime();

  private QueryPlan plan = QueryPlan.plain();
  private EvidencePack pack = EvidencePack.NONE;
  private @Nullable Prompt prompt;
  private Engine.@Nullable Generation generation;
  private @Nullable Drain drain;
  private long graceTimer = -1;
  private boolean firstText;
  private boolean ending;

  /** What every run shares. */
  record Rooms(Engine engine, Finisher finisher, AnswerConfig config, AnswerListener listener) {}

  /** What is asked, by whom, with all that the begun turn settled. */
  record Question(
      UserId user,
      UUID requestId,
      StoredAnswer begun,
      String text,
      Scope scope,
      Instant at,
      ZoneId zone,
      String profile,
      List<RecentTurn> recent) {}

  AnswerRun(Vertx vertx, Loop home, Rooms rooms, Question question, LogWriter log, Runnable over) {
    this.vertx = vertx;
    this.rooms = rooms;
    this.question = question;
    this.log = log;
    this.over = over;
    this.feed = new Feed(home, this);
  }

  Feed feed() {
    return feed;
  }

  /** Runs the answer; on its own loop. */
  void start() {
    rooms.listener().started();
    emit(question.begun().opened());
    emit(new AnswerEvent.Phase(PhaseName.RETRIEVING));
    retrieve().onComplete(found -> {
      if (ending) {
        return;
      }
      if (found.failed()) {
        fail(found.cause());
      } else {
        answer(found.result());
      }
    });
  }

  private Future<EvidencePack> retrieve() {
    try {
      plan = rooms.engine().plan(question.text(), question.at(), question.zone());
      return rooms.engine().retrieve(question.user(), question.text(), plan, question.scope());
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private void answer(EvidencePack found) {
    pack = found;
    found.degraded().forEach(rooms.listener()::degraded);
    emit(sources(rooms.config().reveal() == AnswerConfig.Reveal.PACK ? all() : List.of()));
    emit(new AnswerEvent.Phase(PhaseName.ANSWERING));
    if (pack.isEmpty()) {
      emit(new AnswerEvent.TextStarted());
      text(NO_EVIDENCE);
      complete(FinishReason.STOP, "deterministic", "none", Usage.NONE);
      return;
    }
    generate();
  }

  private void generate() {
    try {
      Prompt built = rooms
          .engine()
          .prompt(question.text(), plan, question.at(), question.zone(), question.recent(), pack);
      prompt = built;
      Engine.Generation started =
          rooms.engine().generate(question.profile(), built, new Attempts(built));
      generation = started;
      started.won().onComplete(won -> {
        if (ending) {
          return;
        }
        if (won.failed()) {
          fail(won.cause());
        } else {
          drain(won.result());
        }
      });
    } catch (RuntimeException broken) {
      fail(broken);
    }
  }

  private void drain(Engine.Won won) {
    emit(new AnswerEvent.TextStarted());
    drain = new Drain(won, labels(), rooms.config().maxChars(), new Show());
    drain.start();
  }

  private java.util.Set<String> labels() {
    return pack.windows().stream().map(EvidenceWindow::label).collect(Collectors.toSet());
  }

  private List<Citation> all() {
    return pack.windows().stream().map(this::citation).toList();
  }

  private Citation citation(EvidenceWindow window) {
    return Citation.of(window, question.scope().kind() != Scope.Kind.GLOBAL);
  }

  private AnswerEvent.Sources sources(List<Citation> citations) {
    return new AnswerEvent.Sources(citations, question.begun().indexStatus(), plan.toJson());
  }

  /** Somebody asked to stop: at once, whatever runs. On the run's loop. */
  void cancel() {
    stop(TurnState.CANCELLED, FinishReason.OTHER, null);
  }

  /** The node goes down: what was shown is kept, the person may ask again. On the run's loop. */
  void interrupt() {
    stop(
        TurnState.FAILED,
        FinishReason.ERROR,
        Failures.failure(GatewayError.Code.INTERRUPTED.wire()));
  }

  /** The lease went to another node, which ends the turn: this one only stops. */
  void lost() {
    interrupt();
  }

  private void fail(Throwable cause) {
    if (!(cause instanceof GatewayError known)
        || known.code() == GatewayError.Code.INTERNAL
        || known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE) {
      LOG.warn("answer failed: request {} cause {}", question.requestId(), Diagnosis.of(cause));
    }
    stop(TurnState.FAILED, FinishReason.ERROR, Failures.failure(cause));
  }

  private void stop(TurnState state, FinishReason reason, AnswerEvent.@Nullable Failure error) {
    if (ending) {
      return;
    }
    if (generation != null) {
      generation.cancel();
    }
    AnswerEvent.ModelCalled called = transcript.called();
    Usage usage = transcript.estimate();
    if (drain != null) {
      drain.cancel();
      usage = drain.usage(prompt == null ? 0 : prompt.chars());
    }
    end(
        state,
        reason,
        called == null ? "none" : called.provider(),
        called == null ? "none" : called.model(),
        usage,
        error);
  }

  private void complete(FinishReason reason, String provider, String model, Usage usage) {
    if (!ending) {
      emit(new AnswerEvent.Phase(PhaseName.SAVING));
      end(TurnState.COMPLETED, reason, provider, model, usage, null);
    }
  }

  private void end(
      TurnState state,
      FinishReason reason,
      String provider,
      String model,
      Usage usage,
      AnswerEvent.@Nullable Failure error) {
    ending = true;
    stopGrace();
    long cost = rooms.engine().costMicroUsd(provider, model, usage);
    Ending end = new Ending(state, reason, provider, model, usage, cost, error);
    rooms
        .finisher()
        .finish(
            question.user(),
            question.requestId(),
            end.toJson(transcript, prompt == null ? null : prompt.version(), sinceStart()))
        .onComplete(stored -> {
          emit(
              stored.succeeded() ? terminal(end, stored.result()) : notStored(end, stored.cause()));
          over.run();
        });
  }

  private AnswerEvent.Ended terminal(Ending end, JsonObject stored) {
    if (!stored.getBoolean("finished", false)) {
      return new StoredAnswer(stored).ended(); // somebody else ended it: theirs stands
    }
    JsonObject outcome = stored.getJsonObject("outcome", new JsonObject());
    return end.event(
        question.profile(),
        outcome.getLong("costMicroUsd", end.costMicroUsd()),
        stored.getJsonObject("thread"));
  }

  /** Shown but not stored: said as it is. The sweeper stores and settles it when it can. */
  private AnswerEvent.Ended notStored(Ending end, Throwable cause) {
    LOG.error("answer not stored: request {} cause {}", question.requestId(), Diagnosis.of(cause));
    return new AnswerEvent.Ended(
        TurnState.FAILED,
        FinishReason.ERROR,
        end.provider(),
        end.model(),
        question.profile(),
        end.usage(),
        0,
        null,
        Failures.failure(GatewayError.Code.DEPENDENCY_UNAVAILABLE.wire()));
  }

  private void text(String text) {
    if (!firstText) {
      firstText = true;
      rooms.listener().firstText(sinceStart());
    }
    emit(new AnswerEvent.Text(text));
  }

  private void emit(AnswerEvent event) {
    transcript.add(event);
    feed.emit(event);
    log.write(event);
    if (event instanceof AnswerEvent.Ended end) {
      rooms.listener().ended(end, sinceStart());
    }
  }

  private Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  @Override
  public void readers(int count) {
    stopGrace();
    if (count == 0 && !ending) {
      long grace = rooms.config().grace().toMillis();
      if (grace == 0) {
        cancel();
      } else {
        graceTimer = vertx.setTimer(grace, id -> cancel());
      }
    }
  }

  private void stopGrace() {
    if (graceTimer >= 0) {
      vertx.cancelTimer(graceTimer);
      graceTimer = -1;
    }
  }

  @Override
  public void slow(boolean slow) {
    if (drain != null) {
      drain.slow(slow);
    }
  }

  private final class Attempts implements Engine.Listener {
    private final Prompt sent;

    Attempts(Prompt sent) {
      this.sent = sent;
    }

    @Override
    public void attempt(String provider, String model) {
      if (!ending) {
        emit(new AnswerEvent.ModelCalled(provider, model, sent.chars()));
      }
    }

    @Override
    public void attemptFailed(String provider, String model, GatewayError.Code code) {
      rooms.listener().attemptFailed(provider, code);
    }
  }

  /** What the drained stream becomes for the readers. */
  private final class Show implements Drain.Output {
    @Override
    public void text(String text) {
      AnswerRun.this.text(text);
    }

    @Override
    public void cited(String label) {
      List<Citation> standing = transcript.citations();
      if (standing.stream().noneMatch(citation -> citation.label().equals(label))) {
        pack.find(label)
            .ifPresent(window -> emit(sources(java.util.stream.Stream.concat(
                    standing.stream(), java.util.stream.Stream.of(citation(window)))
                .toList())));
      }
    }

    @Override
    public void done(FinishReason reason, Drain finished) {
      rooms.listener().marksDropped(finished.marksDropped());
      if (!firstText) {
        text(reason == FinishReason.CONTENT_FILTER ? FILTERED : NO_TEXT);
      }
      complete(
          reason,
          finished.provider(),
          finished.model(),
          finished.usage(prompt == null ? 0 : prompt.chars()));
    }

    @Override
    public void failed(Throwable cause) {
      fail(cause);
    }
  }
}
