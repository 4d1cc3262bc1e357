package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Citation;
import dev.askgateway.core.TurnIds;
import dev.askgateway.core.TurnState;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;

/**
 * The AI SDK UI message stream (spec C2, C8) of one answer: events in, SSE text out.
 *
 * <p>Strict where old clients are: no null member, no unknown member, no unknown type; own values
 * only in data parts; one text block under the turn's id, closed before the step.
 */
final class UiStream implements AnswerEvent.Cases<String> {
  private final RelayConfig.Compat compat;
  private final StringBuilder out = new StringBuilder(256);
  private final ClaireResult claire = new ClaireResult();
  private String textId = "";
  private boolean textOpen;
  private boolean textShown;

  UiStream(RelayConfig.Compat compat) {
    this.compat = compat;
  }

  /** The frames of an event, possibly none. */
  String encode(AnswerEvent event) {
    out.setLength(0);
    if (compat == RelayConfig.Compat.CLAIRE) {
      claire.see(event);
    }
    return event.match(this);
  }

  @Override
  public String opened(AnswerEvent.Opened event) {
    TurnIds ids = event.ids();
    textId = ids.assistantTurnId().toString();
    JsonObject thread = new JsonObject().put("requestId", ids.requestId().toString());
    putId(thread, "threadId", ids.threadId());
    putId(thread, "userTurnId", ids.userTurnId());
    thread.put("assistantTurnId", textId);
    frame(new JsonObject().put("type", "start").put("messageId", textId));
    frame(new JsonObject().put("type", "start-step"));
    return data("thread", thread).toString();
  }

  private static void putId(
      JsonObject json, String name, @org.jspecify.annotations.Nullable UUID id) {
    if (id != null) {
      json.put(name, id.toString());
    }
  }

  @Override
  public String phase(AnswerEvent.Phase event) {
    if (event.phase() == AnswerEvent.PhaseName.SAVING) {
      closeText();
    }
    data("status", new JsonObject().put("phase", event.phase().wire()));
    if (compat == RelayConfig.Compat.CLAIRE) {
      frame(claire.status(event.phase()));
    }
    return out.toString();
  }

  @Override
  public String sources(AnswerEvent.Sources event) {
    return data(
            "sources",
            new JsonObject()
                .put("citations", array(event.citations()))
                .put("indexStatus", event.indexStatus())
                .put("plan", event.plan()))
        .toString();
  }

  static JsonArray array(List<Citation> citations) {
    JsonArray array = new JsonArray();
    citations.forEach(citation -> array.add(citation.toJson()));
    return array;
  }

  @Override
  public String modelCalled(AnswerEvent.ModelCalled event) {
    return "";
  }

  @Override
  public String textStarted(AnswerEvent.TextStarted event) {
    if (!textOpen) {
      textOpen = true;
      frame(new JsonObject().put("type", "text-start").put("id", textId));
    }
    return out.toString();
  }

  /** The hot path: one string, no tree. The id is a UUID and needs no escaping. */
  @Override
  public String text(AnswerEvent.Text event) {
    textShown = true;
    return out.append("data: {\"type\":\"text-delta\",\"id\":\"")
        .append(textId)
        .append("\",\"delta\":")
        .append(Json.encode(event.delta()))
        .append("}\n\n")
        .toString();
  }

  @Override
  public String ended(AnswerEvent.Ended event) {
    if (event.error() != null) {
      data("error", error(event.error()));
    }
    if (event.state() == TurnState.COMPLETED) {
      closeText();
    }
    data("finish", finish(event));
    closeText();
    if (compat == RelayConfig.Compat.CLAIRE && event.state() == TurnState.COMPLETED) {
      frame(claire.result());
    }
    frame(new JsonObject().put("type", "finish-step"));
    frame(terminal(event));
    return out.append("data: [DONE]\n\n").toString();
  }

  private static JsonObject error(AnswerEvent.Failure failure) {
    ErrorTable.Row row = ErrorTable.rowFor(failure.code());
    return new JsonObject()
        .put("code", row.code())
        .put("retryable", row.retryable())
        .put("message", failure.message());
  }

  private JsonObject finish(AnswerEvent.Ended event) {
    JsonObject finish = new JsonObject()
        .put("state", event.state().wire())
        .put("finishReason", event.finishReason().wire())
        .put("provider", event.provider())
        .put("model", event.model())
        .put("profile", event.profile())
        .put("usage", event.usage().toJson())
        .put("costMicroUsd", event.costMicroUsd());
    if (event.dailyWarning()) {
      finish.put("dailyWarning", true);
    }
    if (event.state() != TurnState.COMPLETED) {
      finish.put("partial", textShown);
    }
    if (event.thread() != null) {
      finish.put("thread", event.thread());
    }
    return finish;
  }

  private static JsonObject terminal(AnswerEvent.Ended event) {
    if (event.state() == TurnState.COMPLETED) {
      return new JsonObject()
          .put("type", "finish")
          .put("finishReason", event.finishReason().wire());
    }
    if (event.error() != null) {
      return new JsonObject()
          .put("type", "error")
          .put("errorText", event.error().message());
    }
    return new JsonObject().put("type", "abort");
  }

  private void closeText() {
    if (textOpen) {
      textOpen = false;
      frame(new JsonObject().put("type", "text-end").put("id", textId));
    }
  }

  private StringBuilder data(String name, JsonObject data) {
    frame(new JsonObject().put("type", "data-" + name).put("id", name).put("data", data));
    return out;
  }

  private void frame(JsonObject chunk) {
    out.append("data: ").append(chunk.encode()).append("\n\n");
  }
}
