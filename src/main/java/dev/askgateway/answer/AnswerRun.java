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
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  private final Rooms rooms;
  private final Question question;
  private final Feed feed;
  private final LogWriter<AnswerEvent> log;
  private final Runnable over;
  private final Grace grace;
  private final Attempts attempts;
  private final Transcript transcript = new Transcript();

  private Engine.Resolved plan = new Engine.Resolved(QueryPlan.plain(), null);
  private Engine.@Nullable Planning planning;
  /** The plan as it is shown and stored, with the route it took and the planner's outcome. */
  private JsonObject planned = new JsonObject();

  private EvidencePack pack = EvidencePack.NONE;
  private @Nullable Prompt prompt;
  private Engine.@Nullable Generation generation;
  private @Nullable Drain drain;
  private boolean slow;

  /** The end is decided: nothing is shown any more but the terminal. */
  private boolean ending;

  /** What every run shares. */
  record Rooms(
      Engine engine,
      TurnRepository turns,
      Finisher finisher,
      AnswerConfig config,
      AnswerListener listener) {}

  /**
   * What is asked, by whom, with all that the begun turn settled.
   *
   * @param askedNanos when, by {@link System#nanoTime}
   */
  record Question(
      UserId user,
      UUID requestId,
      StoredAnswer begun,
      String text,
      Scope scope,
      Instant at,
      ZoneId zone,
      String profile,
      Engine.Route route,
      List<RecentTurn> recent,
      long askedNanos) {}

  AnswerRun(
      Vertx vertx,
      Loop home,
      Rooms rooms,
      Question question,
      LogWriter<AnswerEvent> log,
      Runnable over) {
    this.rooms = rooms;
    this.question = question;
    this.log = log;
    this.over = over;
    this.feed = new Feed(home, this);
    this.attempts =
        new Attempts(question.route(), rooms.listener(), question.requestId(), this::called);
    this.grace = new Grace(
        vertx,
        rooms.config().grace(),
        () -> rooms.turns().isFollowed(question.user(), question.requestId()),
        this::cancel);
  }

  Feed feed() {
    return feed;
  }

  /** Runs the answer; on its own loop. */
  void start() {
    rooms.listener().started();
    emit(question.begun().opened());
    emit(new AnswerEvent.Phase(PhaseName.RETRIEVING));
    rooms.listener().firstStatus(sinceAsked());
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

  private Future<Engine.Evidence> retrieve() {
    try {
      Engine.Planning started = question.route().plan(question.at(), question.zone(), attempts);
      planning = started;
      return started.resolved().compose(this::retrieve);
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private Future<Engine.Evidence> retrieve(Engine.Resolved resolved) {
    plan = resolved;
    QueryPlan.Reason reason = resolved.plan().needsPlanner();
    if (reason != null && resolved.planner() != null) {
      rooms.listener().planned(reason, resolved.planner());
    }
    return ending
        ? Future.failedFuture(
            new GatewayError(GatewayError.Code.CANCELLED, "It ended while it was planned."))
        : rooms
            .engine()
            .retrieve(
                question.user(),
                question.text(),
                resolved.plan(),
                question.at().atZone(question.zone()),
                question.scope());
  }

  private void answer(Engine.Evidence found) {
    pack = found.pack();
    planned = plan.told(found.routing().toJson());
    pack.degraded().forEach(rooms.listener()::degraded);
    rooms.listener().retrieved(pack.windows().size());
    rooms.listener().routed(found.routing().route(), !pack.isEmpty());
    emit(sources(revealsPack() ? all() : List.of()));
    emit(new AnswerEvent.Phase(PhaseName.ANSWERING));
    if (pack.isEmpty()) {
      emit(new AnswerEvent.TextStarted());
      text(NO_EVIDENCE);
      complete(FinishReason.STOP, new Bill.Call("deterministic", "none", Usage.NONE));
      return;
    }
    generate();
  }

  private void generate() {
    question
        .route()
        .prompt(plan.plan(), question.at(), question.zone(), question.recent(), pack)
        .onComplete(built -> {
          if (ending) {
            return;
          }
          if (built.failed()) {
            fail(built.cause());
          } else {
            generate(built.result());
          }
        });
  }

  private void generate(Prompt built) {
    try {
      prompt = built;
      Engine.Generation started = question.route().generate(built, attempts);
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

  private void called(String provider, String model) {
    emit(new AnswerEvent.ModelCalled(provider, model, promptChars()));
  }

  private long promptChars() {
    return prompt == null ? 0 : prompt.chars();
  }

  private void drain(Engine.Won won) {
    emit(new AnswerEvent.TextStarted());
    Drain started = new Drain(won, labels(), rooms.config().maxChars(), new Show());
    drain = started;
    started.start(slow);
  }

  private Set<String> labels() {
    return pack.windows().stream().map(EvidenceWindow::label).collect(Collectors.toSet());
  }

  private boolean revealsPack() {
    return rooms.config().reveal() == AnswerConfig.Reveal.PACK;
  }

  private List<Citation> all() {
    return pack.windows().stream().map(this::citation).toList();
  }

  private Citation citation(EvidenceWindow window) {
    return Citation.of(window, question.scope().kind() != Scope.Kind.GLOBAL);
  }

  private AnswerEvent.Sources sources(List<Citation> citations) {
    return new AnswerEvent.Sources(citations, question.begun().indexStatus(), planned);
  }

  /** Somebody asked to stop: at once, whatever runs. On the run's loop. */
  void cancel() {
    stop(TurnState.CANCELLED, FinishReason.OTHER, null);
  }

  /**
   * The node goes down, or cannot tell any more whether the turn is still its own: what was shown is
   * kept, the person may ask again. On the run's loop.
   */
  void interrupt() {
    stop(TurnState.FAILED, FinishReason.ERROR, GatewayError.Code.INTERRUPTED);
  }

  private void fail(Throwable cause) {
    GatewayError.Code code = Failures.code(cause);
    if (code == GatewayError.Code.INTERNAL || code == GatewayError.Code.DEPENDENCY_UNAVAILABLE) {
      LOG.warn("answer failed: request {} cause {}", question.requestId(), Diagnosis.of(cause));
    }
    stop(TurnState.FAILED, FinishReason.ERROR, code);
  }

  private void stop(TurnState state, FinishReason reason, GatewayError.@Nullable Code error) {
    if (ending) {
      return;
    }
    onlyCited();
    ending = true; // first: what is stopped now may call back
    if (planning != null) {
      planning.cancel();
    }
    if (generation != null) {
      generation.cancel();
    }
    if (drain == null) {
      end(state, reason, attempts.last(), error);
      return;
    }
    drain.cancel();
    Bill.Call call = drain.call(promptChars());
    rooms
        .listener()
        .attempted(call.provider(), error == null ? GatewayError.Code.CANCELLED : error);
    end(state, reason, call, error);
  }

  private void complete(FinishReason reason, Bill.Call call) {
    if (!ending) {
      onlyCited();
      emit(new AnswerEvent.Phase(PhaseName.SAVING));
      ending = true;
      end(TurnState.COMPLETED, reason, call, null);
    }
  }

  /** Where the whole pack was shown, what no mark names is taken back. */
  private void onlyCited() {
    List<Citation> cited = transcript.cited();
    if (revealsPack() && cited.size() < transcript.citations().size()) {
      emit(sources(cited));
    }
  }

  private void end(
      TurnState state, FinishReason reason, Bill.Call call, GatewayError.@Nullable Code error) {
    grace.end();
    if (drain != null) {
      rooms.listener().marksDropped(drain.marksDropped());
    }
    Bill bill = Bill.of(question.route(), call, state, transcript.hasText());
    Bill whole = attempts.add(
        planning == null
            ? bill
            : bill.withPlanning(
                question.route(), planning.call(), Bill.pays(state, transcript.hasText())));
    Ending end = new Ending(state, reason, whole, error);
    rooms
        .finisher()
        .finish(question.user(), question.requestId(), toJson(end))
        .onComplete(stored -> {
          emit(
              stored.succeeded()
                  ? told(end, new StoredAnswer(stored.result()))
                  : notStored(end, stored.cause()));
          over.run();
        });
  }

  /** What stands in the database, whoever put it there; another node may be about to. */
  private AnswerEvent.Ended told(Ending end, StoredAnswer stored) {
    return stored.state().terminal() ? stored.ended() : end.taken().event(question.profile());
  }

  private JsonObject toJson(Ending end) {
    return end.toJson(transcript, prompt == null ? null : prompt.version(), sinceAsked());
  }

  /** Shown but not stored: said as it is, and stored like that when the database is back. */
  private AnswerEvent.Ended notStored(Ending end, Throwable cause) {
    LOG.error("answer not stored: request {} cause {}", question.requestId(), Diagnosis.of(cause));
    Ending told = end.notStored();
    rooms.finisher().later(question.user(), question.requestId(), toJson(told));
    return told.event(question.profile());
  }

  private void text(String text) {
    if (!transcript.hasText()) {
      rooms.listener().firstText(sinceAsked());
    }
    emit(new AnswerEvent.Text(text));
  }

  private void emit(AnswerEvent event) {
    if (ending && !(event instanceof AnswerEvent.Ended)) {
      return;
    }
    transcript.add(event);
    feed.emit(event);
    log.write(event);
    if (event instanceof AnswerEvent.Ended end) {
      rooms.listener().ended(end, sinceAsked());
    }
  }

  private Duration sinceAsked() {
    return Duration.ofNanos(System.nanoTime() - question.askedNanos());
  }

  @Override
  public void readers(int count) {
    if (count == 0 && !ending) {
      grace.begin();
    } else {
      grace.end();
    }
  }

  @Override
  public void slow(boolean now) {
    slow = now; // also for a stream that is still to come
    if (drain != null) {
      drain.slow(now);
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
            .map(window -> Stream.concat(standing.stream(), Stream.of(citation(window))))
            .ifPresent(citations -> emit(sources(citations.toList())));
      }
    }

    @Override
    public void done(FinishReason reason, Drain finished) {
      if (!transcript.hasText()) {
        text(reason == FinishReason.CONTENT_FILTER ? FILTERED : NO_TEXT);
      }
      Bill.Call call = finished.call(promptChars());
      rooms.listener().attempted(call.provider(), null);
      rooms.listener().cited(transcript.cited().size());
      complete(reason, call);
    }

    @Override
    public void failed(Throwable cause) {
      fail(cause);
    }
  }
}
