package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.Citation;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
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
  private final Finding finding;
  private final Progress progress;
  private final Transcript transcript = new Transcript();
  private final Closing closing;

  private @Nullable Prompt prompt;
  private Engine.@Nullable Generation generation;
  private @Nullable Drain drain;
  private boolean slow;

  /** The end is decided: nothing is shown any more but the terminal. */
  private boolean ending;

  /** What every run shares. */
  record Rooms(
      TurnRepository turns, Finisher finisher, AnswerConfig config, AnswerListener listener) {}

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
    this.progress = new Progress(question.askedNanos());
    progress.held(question.route().worstCaseMicroUsd());
    this.attempts = new Attempts(rooms.listener(), question, this::called);
    this.closing = new Closing(rooms.finisher(), question, transcript);
    this.finding = new Finding(rooms.listener(), question, attempts, progress);
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
    progress.status();
    rooms.listener().firstStatus(progress.sinceAsked());
    finding.find().onComplete(found -> {
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

  private void answer(EvidencePack pack) {
    emit(finding.sources(revealsPack() ? finding.all() : List.of()));
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
        .prompt(finding.plan(), question.at(), question.zone(), question.recent(), finding.pack())
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
    progress.called(provider, model);
    emit(new AnswerEvent.ModelCalled(provider, model, promptChars()));
  }

  private long promptChars() {
    return prompt == null ? 0 : prompt.chars();
  }

  private void drain(Engine.Won won) {
    emit(new AnswerEvent.TextStarted());
    Drain started = new Drain(won, finding.labels(), rooms.config().maxChars(), new Show());
    drain = started;
    started.start(slow);
  }

  private boolean revealsPack() {
    return rooms.config().reveal() == AnswerConfig.Reveal.PACK;
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
      LOG.warn(
          "answer failed: request {} cause {}",
          LogFields.request(question.requestId()),
          Diagnosis.of(cause));
    }
    stop(TurnState.FAILED, FinishReason.ERROR, code);
  }

  private void stop(TurnState state, FinishReason reason, GatewayError.@Nullable Code error) {
    if (ending) {
      return;
    }
    onlyCited();
    ending = true; // first: what is stopped now may call back
    finding.stop();
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
      emit(finding.sources(cited));
    }
  }

  private void end(
      TurnState state, FinishReason reason, Bill.Call call, GatewayError.@Nullable Code error) {
    grace.end();
    if (drain != null) {
      rooms.listener().marksDropped(drain.marksDropped());
    }
    Bill bill = attempts.add(
        Bill.of(question.route(), call, state, transcript.hasText()),
        finding.planningCall(),
        Bill.pays(state, transcript.hasText()));
    closing
        .close(
            new Ending(state, reason, bill, error),
            prompt == null ? null : prompt.version(),
            question.route().arm() == null ? null : measured(bill))
        .onSuccess(ended -> {
          emit(ended);
          over.run();
        });
  }

  /** What gates of a rollout look at. */
  private JsonObject measured(Bill bill) {
    return progress
        .times()
        .put("costMicroUsd", bill.wholeCostMicroUsd())
        .put("sources", transcript.cited().size())
        .put("marksDropped", drain == null ? 0 : drain.marksDropped())
        .put("leaked", finding.outsideOfScope());
  }

  private void text(String text) {
    if (!transcript.hasText()) {
      progress.output();
      Duration since = progress.sinceAsked();
      rooms.listener().firstText(since);
      question.span().set(SpanKey.FIRST_OUTPUT_MS, since.toMillis());
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
      rooms.listener().ended(end, progress.sinceAsked());
      rooms
          .listener()
          .summed(progress.ofAnswer(
              question.begun().ids(), question.profile(), transcript.cited().size(), end));
    }
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
        finding
            .citation(label)
            .map(cited -> Stream.concat(standing.stream(), Stream.of(cited)))
            .ifPresent(citations -> emit(finding.sources(citations.toList())));
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
