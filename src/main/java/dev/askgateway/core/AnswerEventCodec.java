package dev.askgateway.core;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answer events as JSON between nodes: one object each, its kind under {@code e}. */
public final class AnswerEventCodec {
  private static final AnswerEvent.Cases<JsonObject> ENCODE = new Encode();

  private AnswerEventCodec() {}

  /** A list of events as one JSON text. */
  public static String encode(List<AnswerEvent> events) {
    JsonArray array = new JsonArray();
    events.forEach(event -> array.add(event.match(ENCODE)));
    return array.encode();
  }

  /** The events of such a text. */
  public static List<AnswerEvent> decode(String text) {
    return new JsonArray(text).stream().map(item -> decode((JsonObject) item)).toList();
  }

  private static AnswerEvent decode(JsonObject json) {
    String kind = json.getString("e");
    return switch (kind) {
      case "opened" ->
        new AnswerEvent.Opened(
            new TurnIds(
                UUID.fromString(json.getString("request")),
                uuid(json, "thread"),
                uuid(json, "asked"),
                UUID.fromString(json.getString("turn"))),
            Instant.parse(json.getString("at")),
            json.getJsonArray("scope").stream()
                .map(id -> UUID.fromString(id.toString()))
                .toList(),
            json.getBoolean("new"));
      case "phase" -> new AnswerEvent.Phase(AnswerEvent.PhaseName.valueOf(json.getString("phase")));
      case "sources" ->
        new AnswerEvent.Sources(
            citations(json.getJsonArray("citations")),
            json.getJsonObject("index"),
            json.getJsonObject("plan"));
      case "model" ->
        new AnswerEvent.ModelCalled(
            json.getString("provider"), json.getString("model"), json.getLong("chars"));
      case "start" -> new AnswerEvent.TextStarted();
      case "text" -> new AnswerEvent.Text(json.getString("d"));
      case "ended" -> ended(json);
      default -> throw new IllegalArgumentException("unknown event " + kind);
    };
  }

  private static @Nullable UUID uuid(JsonObject json, String name) {
    String value = json.getString(name);
    return value == null ? null : UUID.fromString(value);
  }

  /** Citations out of their JSON array. */
  public static List<Citation> citations(JsonArray array) {
    return array.stream().map(item -> Citation.fromJson((JsonObject) item)).toList();
  }

  private static AnswerEvent ended(JsonObject json) {
    String code = json.getString("code");
    return new AnswerEvent.Ended(
        TurnState.ofWire(json.getString("state")),
        FinishReason.ofWire(json.getString("reason")),
        json.getString("provider"),
        json.getString("model"),
        json.getString("profile"),
        Usage.fromJson(json.getJsonObject("usage")),
        json.getLong("cost"),
        json.getBoolean("warned", false), // not in logs of nodes before
        json.getJsonObject("thread"),
        code == null
            ? null
            : new AnswerEvent.Failure(
                GatewayError.Code.ofWire(code), json.getString("message", code)));
  }

  private static final class Encode implements AnswerEvent.Cases<JsonObject> {
    @Override
    public JsonObject opened(AnswerEvent.Opened event) {
      JsonArray scope = new JsonArray();
      event.scopeChatIds().forEach(id -> scope.add(id.toString()));
      TurnIds ids = event.ids();
      JsonObject json = of("opened")
          .put("request", ids.requestId().toString())
          .put("turn", ids.assistantTurnId().toString())
          .put("at", event.createdAt().toString())
          .put("scope", scope)
          .put("new", event.newThread());
      if (ids.threadId() != null) {
        json.put("thread", ids.threadId().toString());
      }
      if (ids.userTurnId() != null) {
        json.put("asked", ids.userTurnId().toString());
      }
      return json;
    }

    @Override
    public JsonObject phase(AnswerEvent.Phase event) {
      return of("phase").put("phase", event.phase().name());
    }

    @Override
    public JsonObject sources(AnswerEvent.Sources event) {
      JsonArray citations = new JsonArray();
      event.citations().forEach(citation -> citations.add(citation.toJson()));
      return of("sources")
          .put("citations", citations)
          .put("index", event.indexStatus())
          .put("plan", event.plan());
    }

    @Override
    public JsonObject modelCalled(AnswerEvent.ModelCalled event) {
      return of("model")
          .put("provider", event.provider())
          .put("model", event.model())
          .put("chars", event.promptChars());
    }

    @Override
    public JsonObject textStarted(AnswerEvent.TextStarted event) {
      return of("start");
    }

    @Override
    public JsonObject text(AnswerEvent.Text event) {
      return of("text").put("d", event.delta());
    }

    @Override
    public JsonObject ended(AnswerEvent.Ended event) {
      JsonObject json = of("ended")
          .put("state", event.state().wire())
          .put("reason", event.finishReason().wire())
          .put("provider", event.provider())
          .put("model", event.model())
          .put("profile", event.profile())
          .put("usage", event.usage().toJson())
          .put("cost", event.costMicroUsd())
          .put("warned", event.dailyWarning())
          .put("thread", event.thread());
      if (event.error() != null) {
        json.put("code", event.error().code().wire())
            .put("message", event.error().message());
      }
      return json;
    }

    private static JsonObject of(String kind) {
      return new JsonObject().put("e", kind);
    }
  }
}
