package dev.askgateway.intake.edge;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Format;
import dev.askgateway.provider.ModelRequest.Tool;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import dev.askgateway.relay.edge.Unsupported;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a chat completion as OpenAI defines it into what a model is asked. The request itself goes
 * along: models of OpenAI's dialect get it as it was, with members that nobody here knows.
 */
final class ChatReader {
  private static final int MOST_STOPS = 16;

  /** What has no neutral form; a model that does not read it would answer something else. */
  private static final List<String> OPENAI_ONLY =
      List.of("functions", "audio", "prediction", "web_search_options");

  private boolean lossy;

  private ChatReader() {}

  /**
   * A chat completion that was asked for.
   *
   * @param openAiOnly whether {@code request} says less than its original
   */
  record Chat(
      String model,
      ModelRequest request,
      boolean stream,
      boolean includeUsage,
      boolean openAiOnly) {}

  /**
   * Reads a request.
   *
   * @throws dev.askgateway.core.GatewayError invalid_request with the member's path
   * @throws Unsupported for what only OpenAI does
   */
  static Chat read(JsonObject body) {
    return new ChatReader().chat(Fields.of(body));
  }

  private Chat chat(Fields body) {
    Integer choices = body.count("n");
    if (choices != null && choices > 1) {
      throw new Unsupported("n", "More than one choice is not supported.");
    }
    String model = body.required("model");
    MessageReader messages = new MessageReader();
    Integer cap = body.count("max_completion_tokens");
    Fields options = body.object("stream_options");
    ModelRequest request = new ModelRequest(
        messages.read(body),
        tools(body),
        toolChoice(body),
        format(body),
        cap == null ? body.count("max_tokens") : cap,
        body.number("temperature", 2),
        body.number("top_p", 1),
        stop(body),
        null,
        body.json());
    boolean more = OPENAI_ONLY.stream().anyMatch(name -> body.value(name) != null);
    return new Chat(
        model,
        request,
        body.flag("stream"),
        options != null && options.flag("include_usage"),
        lossy || more || messages.isLossy());
  }

  private List<Tool> tools(Fields body) {
    JsonArray list = body.list("tools");
    List<Tool> tools = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      Fields tool = Fields.element(list, i, "tools");
      if (!tool.required("type").equals("function")) {
        lossy = true;
        continue;
      }
      Fields function = tool.requiredObject("function");
      Fields parameters = function.object("parameters");
      tools.add(new Tool(
          function.required("name"),
          function.textOr("description", ""),
          parameters == null ? new JsonObject().put("type", "object") : parameters.json()));
    }
    return tools;
  }

  private ToolChoice toolChoice(Fields body) {
    Object choice = body.value("tool_choice");
    if (choice == null) {
      return ToolChoice.AUTO;
    }
    if (choice instanceof String mode) {
      return switch (mode) {
        case "auto" -> ToolChoice.AUTO;
        case "none" -> new ToolChoice(ToolChoice.Mode.NONE, "");
        case "required" -> new ToolChoice(ToolChoice.Mode.REQUIRED, "");
        default -> throw body.bad("tool_choice", "none, auto, required or an object");
      };
    }
    Fields named = body.requiredObject("tool_choice");
    if (named.required("type").equals("function")) {
      return new ToolChoice(
          ToolChoice.Mode.NAMED, named.requiredObject("function").required("name"));
    }
    lossy = true;
    return ToolChoice.AUTO;
  }

  private static @Nullable Format format(Fields body) {
    Fields format = body.object("response_format");
    if (format == null) {
      return null;
    }
    return switch (format.required("type")) {
      case "text" -> null;
      case "json_object" -> new Format("answer", null, false);
      case "json_schema" -> {
        Fields schema = format.requiredObject("json_schema");
        Fields shape = schema.object("schema");
        yield new Format(
            schema.required("name"), shape == null ? null : shape.json(), schema.flag("strict"));
      }
      default -> throw format.bad("type", "text, json_object or json_schema");
    };
  }

  private static List<String> stop(Fields body) {
    Object stop = body.value("stop");
    if (stop instanceof String one) {
      return one.isEmpty() ? List.of() : List.of(one);
    }
    JsonArray list = stop == null || stop instanceof JsonArray ? body.list("stop") : null;
    if (list == null || list.size() > MOST_STOPS) {
      throw body.bad("stop", "a string or a list of at most " + MOST_STOPS + " strings");
    }
    List<String> texts = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      if (!(list.getValue(i) instanceof String text) || text.isEmpty()) {
        throw Fields.wrong("stop." + i, "a string that is not empty");
      }
      texts.add(text);
    }
    return texts;
  }
}
