package dev.askgateway.provider.anthropic;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Call;
import dev.askgateway.provider.ModelRequest.Image;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Part;
import dev.askgateway.provider.ModelRequest.Role;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a conversation as turns: user and assistant alternate, the user begins, and the results of
 * tools are the user's. Blank text is left out, since Anthropic refuses it.
 */
final class AnthropicMessages {
  private static final Pattern DATA_URL =
      Pattern.compile("data:([^;,]*)(?:;[^;,]*)*;base64,", Pattern.CASE_INSENSITIVE);

  /** What the user says when the conversation's beginning is gone. */
  private static final String LEFT_OUT = "(earlier messages are left out)";

  private final List<Turn> turns = new ArrayList<>();

  private record Turn(String role, List<JsonObject> blocks) {}

  private AnthropicMessages() {}

  /** The turns of all but the system messages. */
  static JsonArray of(List<Message> messages) {
    AnthropicMessages talk = new AnthropicMessages();
    messages.stream().filter(message -> message.role() != Role.SYSTEM).forEach(talk::add);
    return talk.json();
  }

  private void add(Message message) {
    switch (message.role()) {
      case ASSISTANT -> {
        parts(message.parts()).forEach(block -> add("assistant", block));
        message.calls().forEach(call -> add("assistant", call(call)));
      }
      case TOOL -> addResult(message);
      default -> parts(message.parts()).forEach(block -> add("user", block));
    }
  }

  private void add(String role, JsonObject block) {
    turn(role).add(block);
  }

  /** The blocks of the current turn, which is a new one when somebody else spoke last. */
  private List<JsonObject> turn(String role) {
    if (turns.isEmpty() && role.equals("assistant")) {
      turn("user").add(text(LEFT_OUT));
    }
    if (turns.isEmpty() || !turns.get(turns.size() - 1).role().equals(role)) {
      turns.add(new Turn(role, new ArrayList<>()));
    }
    return turns.get(turns.size() - 1).blocks();
  }

  /** Results come before anything else of their turn. */
  private void addResult(Message message) {
    List<JsonObject> blocks = turn("user");
    int place = 0;
    while (place < blocks.size() && "tool_result".equals(blocks.get(place).getString("type"))) {
      place++;
    }
    JsonObject result =
        new JsonObject().put("type", "tool_result").put("tool_use_id", id(message.callId()));
    List<JsonObject> content = parts(message.parts());
    if (!content.isEmpty()) {
      result.put("content", new JsonArray(content));
    }
    blocks.add(place, result);
  }

  private static List<JsonObject> parts(List<Part> parts) {
    List<JsonObject> blocks = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof ModelRequest.Text text && !text.text().isBlank()) {
        blocks.add(text(text.text()));
      } else if (part instanceof Image image) {
        blocks.add(image(image.url()));
      }
    }
    return blocks;
  }

  private static JsonObject text(String text) {
    return new JsonObject().put("type", "text").put("text", text);
  }

  private static JsonObject image(String url) {
    Matcher data = DATA_URL.matcher(url);
    JsonObject source;
    if (data.lookingAt()) {
      String type = data.group(1).toLowerCase(Locale.ROOT);
      source = new JsonObject()
          .put("type", "base64")
          .put("media_type", type.equals("image/jpg") ? "image/jpeg" : type)
          .put("data", url.substring(data.end()));
    } else {
      source = new JsonObject().put("type", "url").put("url", url);
    }
    return new JsonObject().put("type", "image").put("source", source);
  }

  private static JsonObject call(Call call) {
    return new JsonObject()
        .put("type", "tool_use")
        .put("id", id(call.id()))
        .put("name", call.name())
        .put("input", input(call.arguments()));
  }

  /** Arguments that are no object, as a cut-off answer leaves them, become an empty one. */
  private static JsonObject input(String arguments) {
    try {
      return new JsonObject(arguments);
    } catch (DecodeException | ClassCastException notAnObject) {
      return new JsonObject();
    }
  }

  /** Ids of other vendors' calls may have characters that are refused here. */
  private static String id(String id) {
    return id.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  /** An answer that was begun for the model is refused with a blank at its end. */
  private void trimBeginning() {
    if (turns.isEmpty() || !turns.get(turns.size() - 1).role().equals("assistant")) {
      return;
    }
    List<JsonObject> blocks = turns.get(turns.size() - 1).blocks();
    JsonObject last = blocks.get(blocks.size() - 1);
    if ("text".equals(last.getString("type"))) {
      last.put("text", last.getString("text").stripTrailing());
    }
  }

  private JsonArray json() {
    trimBeginning();
    JsonArray json = new JsonArray();
    for (Turn turn : turns) {
      json.add(
          new JsonObject().put("role", turn.role()).put("content", new JsonArray(turn.blocks())));
    }
    return json;
  }
}
