package dev.askgateway.provider.check;

import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Format;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.Tool;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a model is asked. Nothing in it is anybody's. */
final class Questions {
  static final String TOOL = "get_weather";

  /** Enough for a model that thinks first. */
  private static final int MOST_OUTPUT = 2_048;

  private Questions() {}

  /** Something that takes a while to say. */
  static ModelRequest longAnswer(Capabilities model) {
    String text = "Write the numbers from 1 to 40 as words, one on each line, and nothing else.";
    return ask(model, text, List.of(), ToolChoice.AUTO, null);
  }

  static ModelRequest structured(Capabilities model) {
    return ask(
        model,
        "Which city is the capital of France? Answer as JSON with the member \"answer\".",
        List.of(),
        ToolChoice.AUTO,
        new Format("answer", object("answer"), true));
  }

  static ModelRequest toolCall(Capabilities model) {
    return ask(
        model,
        "What is the weather in Paris?",
        List.of(new Tool(TOOL, "Tells the weather in a city.", object("city"))),
        new ToolChoice(ToolChoice.Mode.NAMED, TOOL),
        null);
  }

  /**
   * More than the model's context: single letters, each at least one token in any vocabulary, a tenth
   * more of them than it can take.
   */
  static ModelRequest tooLong(Capabilities model) {
    int letters = model.contextTokens() + model.contextTokens() / 10 + 1_000;
    StringBuilder text = new StringBuilder(letters * 2);
    for (int i = 0; i < letters; i++) {
      text.append((char) ('a' + (i * 7 + i / 26 * 3) % 26)).append(' ');
    }
    return ask(model, text.toString(), List.of(), ToolChoice.AUTO, null);
  }

  private static JsonObject object(String member) {
    JsonObject text = new JsonObject().put("type", "string");
    return new JsonObject()
        .put("type", "object")
        .put("properties", new JsonObject().put(member, text))
        .put("required", new JsonArray().add(member))
        .put("additionalProperties", false);
  }

  private static ModelRequest ask(
      Capabilities model,
      String text,
      List<Tool> tools,
      ToolChoice choice,
      @Nullable Format format) {
    return new ModelRequest(
        List.of(Message.of(Role.USER, text)),
        tools,
        choice,
        format,
        Math.min(MOST_OUTPUT, model.outputTokens()),
        null,
        null,
        List.of(),
        null,
        null);
  }
}
