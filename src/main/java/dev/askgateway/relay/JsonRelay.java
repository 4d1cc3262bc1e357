package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnIds;
import dev.askgateway.core.TurnState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The same events collected into the one JSON answer (facts 1.8). */
public final class JsonRelay implements AnswerSink {
  private static final Runnable NOTHING = () -> {};

  private final Promise<Outcome> outcome = Promise.promise();
  private final Collector collector = new Collector();
  private Runnable closed = NOTHING;
  private boolean gone;

  /**
   * The finished answer.
   *
   * @param newThread whether this question made its thread
   * @param error why it failed, or null; {@code data} then still tells the turn and the partial text
   */
  public record Outcome(
      boolean newThread, JsonObject data, @Nullable GatewayError error) {}

  /** Watches the response for a client that leaves; writes nothing to it. */
  public JsonRelay(HttpServerResponse response) {
    response.exceptionHandler(broken -> left());
    response.closeHandler(ended -> left());
    gone = response.closed();
  }

  /** The outcome, once. Never completes for a client that left. */
  public Future<Outcome> outcome() {
    return outcome.future();
  }

  @Override
  public void write(AnswerEvent event) {
    collector.see(event);
  }

  @Override
  public boolean full() {
    return false; // the answer's own size is bounded
  }

  @Override
  public void drainHandler(Runnable handler) {
    // never full
  }

  @Override
  public void closeHandler(Runnable handler) {
    closed = handler;
    if (gone) {
      handler.run(); // it left before anybody asked
    }
  }

  private void left() {
    if (!gone && !outcome.future().isComplete()) {
      gone = true;
      closed.run();
    }
  }

  private final class Collector {
    private final StringBuilder answer = new StringBuilder();
    private final JsonObject data = new JsonObject();
    private final JsonObject turn = new JsonObject();
    private boolean newThread;

    void see(AnswerEvent event) {
      if (event instanceof AnswerEvent.Opened opened) {
        opened(opened);
      } else if (event instanceof AnswerEvent.Sources sources) {
        data.put("citations", UiStream.array(sources.citations()))
            .put("indexing", sources.indexStatus())
            .put("queryPlan", sources.plan());
      } else if (event instanceof AnswerEvent.Text text) {
        answer.append(text.delta());
      } else if (event instanceof AnswerEvent.Ended ended) {
        ended(ended);
      }
    }

    private void opened(AnswerEvent.Opened event) {
      TurnIds ids = event.ids();
      newThread = event.newThread();
      JsonArray scope = new JsonArray();
      for (UUID chat : event.scopeChatIds()) {
        scope.add(chat.toString());
      }
      turn.put("id", ids.assistantTurnId().toString())
          .put("role", "assistant")
          .put("request_id", ids.requestId().toString())
          .put("scope_chat_ids", scope)
          .put("created_at", event.createdAt().toString());
      data.put("requestId", ids.requestId().toString());
    }

    private void ended(AnswerEvent.Ended event) {
      JsonArray citations = data.getJsonArray("citations", new JsonArray());
      turn.put("content", answer.toString())
          .put("citations", citations)
          .put("actions", new JsonArray())
          .put("status", event.state().wire());
      data.put("answer", answer.toString())
          .put("citations", citations)
          .put("actions", new JsonArray())
          .put("status", event.state().wire())
          .put("finishReason", event.finishReason().wire())
          .put("provider", event.provider())
          .put("model", event.model())
          .put("profile", event.profile())
          .put("usage", event.usage().toJson())
          .put("costMicroUsd", event.costMicroUsd())
          .put("assistantTurn", turn);
      if (event.dailyWarning()) {
        data.put("dailyWarning", true);
      }
      if (event.thread() != null) {
        data.put("thread", event.thread());
      }
      AnswerEvent.Failure error = event.state() == TurnState.FAILED ? event.error() : null;
      outcome.tryComplete(new Outcome(
          newThread, data, error == null ? null : new GatewayError(error.code(), error.message())));
    }
  }
}
