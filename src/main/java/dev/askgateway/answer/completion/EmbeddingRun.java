package dev.askgateway.answer.completion;

import dev.askgateway.answer.Bill;
import dev.askgateway.answer.Progress;
import dev.askgateway.answer.RequestSummary;
import dev.askgateway.answer.completion.CompletionListener.Kind;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.gate.AttemptSpans;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One call for vectors from its hold to its settlement. Whoever leaves meanwhile pays all the same. */
public final class EmbeddingRun {
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
  private static final Duration LAST_MARGIN = Duration.ofSeconds(15);

  /** The longest vectors that are told again. */
  private static final long MOST_KEPT_BYTES = 1 << 20;

  private final CompletionService.Rooms rooms;
  private final InputEstimate input;
  private final EmbeddingCommand command;
  private final PriceBook prices;
  private final Progress progress = new Progress(System.nanoTime());
  private final List<float[]> vectors = new ArrayList<>();
  private Usage used = Usage.NONE;
  private final Asker asker;
  private final Context loop;
  /** Fails when the node goes down. */
  private final Promise<Void> ending = Promise.promise();

  private @Nullable ReplayWriter writer;
  private @Nullable ReplayTail tail;
  private boolean over;
  private Future<Void> settled = Future.succeededFuture();

  /** Whoever asked, and hears how far it is before the vectors come. */
  public interface Asker {
    /** The answer was given before under the same key. */
    void replayed();

    /** What the person was charged today has reached what they are warned at. */
    void dayWarned();

    /** The call was begun and the model is asked: from here on the wait is the model's. */
    default void asked() {
      // nobody need know
    }
  }

  /** The vectors in the order of the texts. */
  public record Vectors(List<float[]> vectors, Usage usage) {}

  EmbeddingRun(
      CompletionService.Rooms rooms, InputEstimate input, EmbeddingCommand command, Asker asker) {
    this.asker = asker;
    this.loop = rooms.vertx().getOrCreateContext();
    this.rooms = rooms;
    this.input = input;
    this.command = command;
    this.prices = rooms.prices().current();
  }

  Future<Vectors> start() {
    EmbeddingModel model = rooms.models().embedding(command.model()).orElse(null);
    if (model == null) {
      return Future.failedFuture(GatewayError.notFound("model"));
    }
    Profile profile = rooms.models().catalogue().profiles().get(command.model());
    Deadlines deadlines = profile == null ? Deadlines.DEFAULT : profile.deadlines();
    return model
        .allowed()
        .compose(may -> hold(model))
        .onSuccess(hold -> progress.held(hold.microUsd()))
        .compose(hold -> span().around(SpanName.HOLD_TAKE, step -> rooms
            .accounts()
            .begin(
                command.caller(),
                "embedding",
                command.model(),
                hold,
                deadlines.total().plus(LEASE_MARGIN))))
        .compose(begun -> {
          if (!begun.fresh()) {
            return again();
          }
          if (begun.dayWarned()) {
            asker.dayWarned();
          }
          rooms.listener().started(Kind.EMBEDDING);
          asker.asked();
          record();
          return call(model, deadlines).onComplete(done -> settle(model, done));
        });
  }

  private Span span() {
    return command.caller().span();
  }

  /** Keeps what is told of a request that can be sent again. */
  private void record() {
    Replays replays = rooms.replays();
    Caller caller = command.caller();
    if (replays != null && caller.keyed()) {
      writer = replays.writer(caller);
      writer.write(new ReplayEvent.Opened(caller.createdSeconds()));
    }
  }

  private void keep(AsyncResult<Vectors> done) {
    if (writer == null) {
      return;
    }
    if (done.failed()) {
      writer.write(ReplayEvent.Failed.of(done.cause()));
      return;
    }
    ReplayEvent.Vectors made = new ReplayEvent.Vectors(List.copyOf(vectors), used);
    writer.write(made.size() > MOST_KEPT_BYTES ? new ReplayEvent.Cut() : made);
  }

  /** It was sent before: tells what was told then. */
  private Future<Vectors> again() {
    Replays replays = rooms.replays();
    if (replays == null || !command.caller().keyed()) {
      return Future.failedFuture(Replays.notKept());
    }
    span().set(SpanKey.JOINED, true);
    Promise<Vectors> answer = Promise.promise();
    ReplayReader reader = new ReplayReader() {
      @Override
      public void replayed(long createdSeconds) {
        asker.replayed();
      }

      @Override
      public boolean takes(ReplayEvent event) {
        return event instanceof ReplayEvent.Vectors;
      }

      @Override
      public void tell(ReplayEvent event) {
        if (event instanceof ReplayEvent.Vectors made) {
          answer.complete(new Vectors(made.vectors(), made.usage()));
        }
      }

      @Override
      public void fail(Throwable failure) {
        answer.fail(failure);
      }
    };
    ReplayTail follows = new ReplayTail(replays, command.caller(), "embedding", reader, () -> {});
    tail = follows;
    follows.start();
    return answer.future();
  }

  /** Without accounts nothing is held, and nothing need be counted. */
  private Future<Accounts.Hold> hold(EmbeddingModel model) {
    if (rooms.accounts() == Accounts.NONE) {
      return Future.succeededFuture(new Accounts.Hold(0, prices.version()));
    }
    return input
        .of(command.request().texts(), model)
        .map(tokens -> prices.worstCaseEmbeddingMicroUsd(model.name(), model.model(), tokens))
        .map(most -> new Accounts.Hold(most, prices.version()));
  }

  /** Ends before the hold's longest term does, whatever the model does. */
  private Future<Vectors> call(EmbeddingModel model, Deadlines deadlines) {
    long endNanos = System.nanoTime() + deadlines.total().toNanos();
    over = ending.future().failed();
    from(0, model, deadlines, endNanos)
        .onComplete(made -> ending.tryComplete(), broken -> ending.tryFail(broken));
    return ending
        .future()
        .timeout(deadlines.total().plus(LAST_MARGIN).toMillis(), TimeUnit.MILLISECONDS)
        .transform(done -> {
          over = true;
          return done.succeeded()
              ? Future.succeededFuture(new Vectors(vectors, used))
              : Future.failedFuture(
                  done.cause() instanceof TimeoutException ? late() : done.cause());
        });
  }

  /** The texts from there on: as many calls as the model needs, one after another in one total. */
  private Future<Void> from(int start, EmbeddingModel model, Deadlines deadlines, long endNanos) {
    List<String> texts = command.request().texts();
    if (start >= texts.size()) {
      return Future.succeededFuture();
    }
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    if (leftMillis < 1 || over) {
      return Future.failedFuture(late());
    }
    int end = Math.min(texts.size(), start + model.mostTexts());
    progress.called(model.name(), model.model());
    Deadlines within = new Deadlines(
        deadlines.connect(),
        deadlines.headers(),
        deadlines.firstDelta(),
        deadlines.stall(),
        Duration.ofMillis(leftMillis));
    return part(model, texts.subList(start, end), within)
        .compose(done -> from(end, model, deadlines, endNanos));
  }

  private Future<Void> part(EmbeddingModel model, List<String> texts, Deadlines deadlines) {
    EmbeddingModel.Request whole = command.request();
    EmbeddingModel.Request some =
        new EmbeddingModel.Request(texts, whole.purpose(), whole.dimensions());
    try {
      return AttemptSpans.embedding(span(), model, () -> model.embed(some, deadlines))
          .onSuccess(made -> {
            if (!over) {
              vectors.addAll(made.vectors());
              used = joined(used, made.usage());
            }
          })
          .onFailure(failure -> {
            if (!over) {
              used = joined(used, ProviderFailure.spent(failure));
            }
          })
          .mapEmpty();
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private static Usage joined(Usage one, Usage next) {
    return new Usage(
        one.inputTokens() + next.inputTokens(), 0, 0, 0, 0, one.estimated() || next.estimated());
  }

  private static GatewayError late() {
    return ProviderFailure.error(ProviderFailure.Kind.TIMEOUT, "the total");
  }

  /** The node goes down. From any thread. */
  void interrupt() {
    GatewayError interrupted =
        new GatewayError(GatewayError.Code.INTERRUPTED, "The call was interrupted. Ask again.");
    loop.runOnContext(now -> {
      ending.tryFail(interrupted);
      if (tail != null) {
        tail.fail(interrupted);
      }
    });
  }

  private void settle(EmbeddingModel model, AsyncResult<Vectors> done) {
    keep(done);
    GatewayError.Code error = done.succeeded()
        ? null
        : done.cause() instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL;
    TurnState state = done.succeeded() ? TurnState.COMPLETED : TurnState.FAILED;
    Bill bill = Bill.of(
        prices::embeddingMicroUsd,
        new Bill.Call(model.name(), model.model(), used), // a failed one is the operator's
        state,
        done.succeeded());
    Duration took = progress.sinceAsked();
    if (progress.called()) { // not where the node went down before
      rooms.listener().embedded(command.caller().requestId(), model, done.cause(), took);
    }
    FinishReason reason = done.succeeded() ? FinishReason.STOP : FinishReason.ERROR;
    End end = new End(state, reason, bill, error, took);
    AnswerEvent.Ended told = end.event(command.model());
    rooms.listener().ended(Kind.EMBEDDING, told, took);
    rooms
        .listener()
        .summed(progress.of(
            RequestSummary.Kind.EMBEDDING, command.caller().requestId(), command.model(), told));
    end.trace(span());
    settled = span().around(SpanName.TURN_FINALIZE, step -> rooms
        .accounts()
        .finish(command.caller(), end.toJson()));
  }

  /** Complete when the bill is written; after {@link #start} is. */
  Future<Void> settled() {
    return settled;
  }
}
