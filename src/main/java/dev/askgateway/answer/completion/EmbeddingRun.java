package dev.askgateway.answer.completion;

import dev.askgateway.answer.Bill;
import dev.askgateway.answer.completion.CompletionListener.Kind;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.Profile;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** One call for vectors from its hold to its settlement. Whoever leaves meanwhile pays all the same. */
public final class EmbeddingRun {
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);

  private final CompletionService.Rooms rooms;
  private final EmbeddingCommand command;
  private final long askedNanos = System.nanoTime();
  private Future<Void> settled = Future.succeededFuture();

  /** The vectors in the order of the texts. */
  public record Vectors(List<float[]> vectors, Usage usage) {}

  EmbeddingRun(CompletionService.Rooms rooms, EmbeddingCommand command) {
    this.rooms = rooms;
    this.command = command;
  }

  Future<Vectors> start() {
    EmbeddingModel model = rooms.models().embedding(command.model()).orElse(null);
    if (model == null) {
      return Future.failedFuture(GatewayError.notFound("model"));
    }
    Profile profile = rooms.models().catalogue().profiles().get(command.model());
    Deadlines deadlines = profile == null ? Deadlines.DEFAULT : profile.deadlines();
    return rooms
        .accounts()
        .begin(
            command.caller(),
            "embedding",
            command.model(),
            hold(model),
            deadlines.total().plus(LEASE_MARGIN))
        .compose(held -> {
          rooms.listener().started(Kind.EMBEDDING);
          return call(model, deadlines).onComplete(done -> settle(model, done));
        });
  }

  private long hold(EmbeddingModel model) {
    return rooms
        .prices()
        .worstCaseMicroUsd(
            model.name(), model.model(), TokenBound.of(command.request().texts()), 0);
  }

  private Future<Vectors> call(EmbeddingModel model, Deadlines deadlines) {
    try {
      return model
          .embed(command.request(), deadlines)
          .map(made -> new Vectors(made.vectors(), made.usage()));
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private void settle(EmbeddingModel model, AsyncResult<Vectors> done) {
    GatewayError.Code error = done.succeeded()
        ? null
        : done.cause() instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL;
    TurnState state = done.succeeded() ? TurnState.COMPLETED : TurnState.FAILED;
    Usage usage = done.succeeded() ? done.result().usage() : Usage.NONE;
    Bill bill = Bill.of(
        rooms.prices()::costMicroUsd,
        new Bill.Call(model.name(), model.model(), usage),
        state,
        done.succeeded());
    Duration took = Duration.ofNanos(System.nanoTime() - askedNanos);
    rooms.listener().embedded(command.caller().requestId(), model, done.cause(), took);
    FinishReason reason = done.succeeded() ? FinishReason.STOP : FinishReason.ERROR;
    End end = new End(state, reason, bill, error, took);
    rooms.listener().ended(Kind.EMBEDDING, end.event(command.model()), took);
    settled = rooms.accounts().finish(command.caller(), end.toJson());
  }

  /** Complete when the bill is written; after {@link #start} is. */
  Future<Void> settled() {
    return settled;
  }
}
