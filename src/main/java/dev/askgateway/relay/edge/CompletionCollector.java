package dev.askgateway.relay.edge;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a completion put together into the one answer. Members that nobody here knows are
 * kept, the last value of each.
 */
final class CompletionCollector implements TokenEvent.Cases<Boolean> {
  private Answering answering;
  private final JsonObject answer = new JsonObject();
  private final JsonObject choice = new JsonObject();
  private final MessagePieces message = new MessagePieces();
  private final JsonObject logprobs = new JsonObject();
  private FinishReason reason = FinishReason.OTHER;

  CompletionCollector(Answering answering) {
    this.answering = answering;
  }

  /** Says another time of the answer, in seconds since 1970. */
  void created(long seconds) {
    answering = answering.at(seconds);
  }

  void see(TokenEvent event) {
    event.match(this);
  }

  /** The whole answer, once. */
  JsonObject answer(Usage usage) {
    JsonObject whole = new JsonObject()
        .put("id", answering.id())
        .put("object", "chat.completion")
        .put("created", answering.created())
        .put("model", answering.model());
    answer.forEach(member -> whole.put(member.getKey(), member.getValue()));
    JsonObject only = new JsonObject()
        .put("index", 0)
        .put("message", message.whole())
        .put("logprobs", logprobs.isEmpty() ? null : logprobs)
        .put("finish_reason", OpenAiJson.of(reason));
    choice.forEach(member -> only.put(member.getKey(), member.getValue()));
    whole.put("choices", new JsonArray().add(only));
    JsonObject counted = OpenAiJson.of(usage); // some servers leave members out that clients need
    if (whole.getValue("usage") instanceof JsonObject reported) {
      reported.forEach(member -> keep(counted, member.getKey(), member.getValue()));
    }
    return whole.put("usage", counted);
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    message.append("content", event.delta());
    return true;
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    message.append("reasoning_content", event.delta());
    return true;
  }

  @Override
  public Boolean toolCall(TokenEvent.ToolCall event) {
    message.call(event);
    return true;
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    return true;
  }

  @Override
  public Boolean finished(TokenEvent.Finished event) {
    reason = event.reason();
    return true;
  }

  @Override
  public Boolean chunk(TokenEvent.Chunk event) {
    JsonObject chunk = new JsonObject(event.json());
    for (var member : chunk) {
      switch (member.getKey()) {
        case "object" -> {}
        case "choices" -> choices(chunk.getValue("choices"));
        default -> keep(answer, member.getKey(), chunk.getValue(member.getKey()));
      }
    }
    return true;
  }

  private void choices(@Nullable Object choices) {
    if (choices instanceof JsonArray list) {
      for (Object one : list) {
        if (one instanceof JsonObject part && isFirst(part.getValue("index"))) {
          choice(part);
        }
      }
    }
  }

  private static boolean isFirst(@Nullable Object index) {
    return !(index instanceof Number number) || number.intValue() == 0;
  }

  private void choice(JsonObject part) {
    for (var member : part) {
      Object value = part.getValue(member.getKey());
      switch (member.getKey()) {
        case "delta" -> {
          if (value instanceof JsonObject delta) {
            message.add(delta);
          }
        }
        case "logprobs" -> logprobs(value);
        case "finish_reason" -> {
          if (value instanceof String why && !why.isEmpty()) { // "" says as little as null
            choice.put("finish_reason", why);
          }
        }
        default -> keep(choice, member.getKey(), value);
      }
    }
  }

  /** Lists go on, anything else is replaced. */
  private void logprobs(@Nullable Object value) {
    if (value instanceof JsonObject more) {
      for (var member : more) {
        Object now = more.getValue(member.getKey());
        if (now instanceof JsonArray list
            && logprobs.getValue(member.getKey()) instanceof JsonArray before) {
          before.addAll(list);
        } else {
          keep(logprobs, member.getKey(), now);
        }
      }
    }
  }

  /** A null says nothing against a value that was there. */
  static void keep(JsonObject into, String member, @Nullable Object value) {
    if (value != null || !into.containsKey(member)) {
      into.put(member, value);
    }
  }
}
