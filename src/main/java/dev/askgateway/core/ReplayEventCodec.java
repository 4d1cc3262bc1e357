package dev.askgateway.core;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Replay events as JSON between nodes: one object each, its kind under {@code e}. */
public final class ReplayEventCodec {
  private static final Encode ENCODE = new Encode();

  private ReplayEventCodec() {}

  /** A list of events as one JSON text that holds no half of a surrogate pair. */
  public static String encode(List<ReplayEvent> events) {
    JsonArray array = new JsonArray();
    events.forEach(event -> array.add(event.match(ENCODE)));
    return escaped(array.encode());
  }

  /** A model may cut a pair in two; half of one has no bytes in UTF-8. */
  private static String escaped(String json) {
    if (json.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
      return json;
    }
    StringBuilder out = new StringBuilder(json.length() + 64);
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (Character.isSurrogate(c)) {
        out.append("\\u").append(Integer.toHexString(c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** The events of such a text. */
  public static List<ReplayEvent> decode(String text) {
    return new JsonArray(text).stream().map(item -> decode((JsonObject) item)).toList();
  }

  private static ReplayEvent decode(JsonObject json) {
    return switch (json.getString("e")) {
      case "opened" -> new ReplayEvent.Opened(json.getLong("at"));
      case "vectors" ->
        new ReplayEvent.Vectors(vectors(json), Usage.fromJson(json.getJsonObject("usage")));
      case "ended" -> new ReplayEvent.Ended(Usage.fromJson(json.getJsonObject("usage")));
      case "failed" ->
        new ReplayEvent.Failed(
            GatewayError.Code.ofWire(json.getString("code")),
            json.getString("message"),
            json.getString("field"),
            json.getLong("retry") == null ? null : Duration.ofMillis(json.getLong("retry")));
      case "cut" -> new ReplayEvent.Cut();
      default -> new ReplayEvent.Output(token(json));
    };
  }

  private static TokenEvent token(JsonObject json) {
    String kind = json.getString("e");
    return switch (kind) {
      case "text" -> new TokenEvent.Text(json.getString("d"));
      case "reasoning" -> new TokenEvent.Reasoning(json.getString("d"));
      case "call" ->
        new TokenEvent.ToolCall(
            json.getInteger("index"),
            json.getString("id"),
            json.getString("name"),
            json.getString("arguments"),
            json.getString("signature"));
      case "metered" -> new TokenEvent.Metered(Usage.fromJson(json.getJsonObject("usage")));
      case "finished" -> new TokenEvent.Finished(FinishReason.ofWire(json.getString("reason")));
      case "chunk" ->
        new TokenEvent.Chunk(
            Buffer.buffer(json.getBinary("json")),
            json.getInteger("text"),
            json.getInteger("other"),
            json.getBoolean("usageOnly"));
      default -> throw new IllegalArgumentException("unknown event " + kind);
    };
  }

  private static List<float[]> vectors(JsonObject json) {
    JsonArray list = json.getJsonArray("vectors");
    List<float[]> vectors = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      byte[] bytes = list.getBinary(i);
      float[] vector = new float[bytes.length / Float.BYTES];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
      vectors.add(vector);
    }
    return vectors;
  }

  private static JsonObject of(String kind) {
    return new JsonObject().put("e", kind);
  }

  private static final class Encode
      implements ReplayEvent.Cases<JsonObject>, TokenEvent.Cases<JsonObject> {
    @Override
    public JsonObject opened(ReplayEvent.Opened event) {
      return of("opened").put("at", event.createdSeconds());
    }

    @Override
    public JsonObject output(ReplayEvent.Output event) {
      return event.event().match(this);
    }

    @Override
    public JsonObject vectors(ReplayEvent.Vectors event) {
      JsonArray list = new JsonArray();
      for (float[] vector : event.vectors()) {
        ByteBuffer bytes =
            ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        list.add(bytes.array());
      }
      return of("vectors").put("vectors", list).put("usage", event.usage().toJson());
    }

    @Override
    public JsonObject ended(ReplayEvent.Ended event) {
      return of("ended").put("usage", event.usage().toJson());
    }

    @Override
    public JsonObject failed(ReplayEvent.Failed event) {
      Duration retry = event.retryAfter();
      return of("failed")
          .put("code", event.code().wire())
          .put("message", event.message())
          .put("field", event.field())
          .put("retry", retry == null ? null : retry.toMillis());
    }

    @Override
    public JsonObject cut(ReplayEvent.Cut event) {
      return of("cut");
    }

    @Override
    public JsonObject text(TokenEvent.Text event) {
      return of("text").put("d", event.delta());
    }

    @Override
    public JsonObject reasoning(TokenEvent.Reasoning event) {
      return of("reasoning").put("d", event.delta());
    }

    @Override
    public JsonObject toolCall(TokenEvent.ToolCall event) {
      return of("call")
          .put("index", event.index())
          .put("id", event.id())
          .put("name", event.name())
          .put("arguments", event.arguments())
          .put("signature", event.signature());
    }

    @Override
    public JsonObject metered(TokenEvent.Metered event) {
      return of("metered").put("usage", event.usage().toJson());
    }

    @Override
    public JsonObject finished(TokenEvent.Finished event) {
      return of("finished").put("reason", event.reason().wire());
    }

    @Override
    public JsonObject chunk(TokenEvent.Chunk event) {
      return of("chunk")
          .put("json", event.json().getBytes())
          .put("text", event.textChars())
          .put("other", event.otherChars())
          .put("usageOnly", event.usageOnly());
    }
  }
}
