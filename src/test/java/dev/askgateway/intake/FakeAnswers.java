package dev.askgateway.intake;

import dev.askgateway.answer.Answers;
import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnIds;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Answers every question with one sentence, and remembers what it was asked. */
final class FakeAnswers implements Answers {
  final List<AskCommand> asked = new CopyOnWriteArrayList<>();
  final List<UUID> attached = new CopyOnWriteArrayList<>();
  final List<UUID> cancelled = new CopyOnWriteArrayList<>();
  final Set<UUID> known = ConcurrentHashMap.newKeySet();
  volatile @Nullable GatewayError refusal;
  volatile AnswerEvent.@Nullable Failure failure;
  volatile boolean newThread = true;
  /** While set, an answer opens and then waits for it. */
  volatile @Nullable Future<Void> gate;

  AskCommand last() {
    return asked.get(asked.size() - 1);
  }

  @Override
  public Future<Void> ask(AskCommand command, AnswerSink sink) {
    asked.add(command);
    if (refusal != null) {
      return Future.failedFuture(refusal);
    }
    play(command.requestId(), command.scope().chatIds(), sink);
    return Future.succeededFuture();
  }

  @Override
  public Future<Boolean> attach(UserId user, UUID requestId, AnswerSink sink) {
    attached.add(requestId);
    if (!known.contains(requestId)) {
      return Future.succeededFuture(false);
    }
    play(requestId, List.of(), sink);
    return Future.succeededFuture(true);
  }

  @Override
  public Future<Boolean> cancel(UserId user, UUID requestId) {
    cancelled.add(requestId);
    return Future.succeededFuture(true);
  }

  private void play(UUID requestId, List<UUID> scope, AnswerSink sink) {
    UUID turn = UUID.nameUUIDFromBytes(
        requestId.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    sink.write(new AnswerEvent.Opened(
        new TurnIds(requestId, turn, turn, turn), Instant.EPOCH, scope, newThread));
    sink.closeHandler(() -> {}); // as every reader is watched
    Future<Void> wait = gate;
    if (wait == null) {
      rest(sink);
    } else {
      wait.onSuccess(ok -> rest(sink));
    }
  }

  private void rest(AnswerSink sink) {
    sink.write(new AnswerEvent.Sources(
        List.of(), new JsonObject().put("status", "ready"), new JsonObject()));
    sink.write(new AnswerEvent.TextStarted());
    sink.write(new AnswerEvent.Text("Saturday it is."));
    AnswerEvent.Failure broken = failure;
    sink.write(new AnswerEvent.Ended(
        broken == null ? TurnState.COMPLETED : TurnState.FAILED,
        FinishReason.STOP,
        "fake",
        "none",
        "assistant_grounded",
        Usage.NONE,
        0,
        false,
        null,
        broken));
  }
}
