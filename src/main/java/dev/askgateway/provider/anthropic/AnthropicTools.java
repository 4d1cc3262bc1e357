package dev.askgateway.provider.anthropic;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Call;
import dev.askgateway.provider.ModelRequest.Format;
import dev.askgateway.provider.ModelRequest.Tool;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import dev.askgateway.provider.ModelRequest.ToolChoice.Mode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tools of a request and which of them may be called. A schema for the answer becomes a
 * tool that must be called: its input is the answer. Where the caller demands a call of its own
 * tools, there will be no answer, and no such tool.
 */
final class AnthropicTools {
  private static final int LONGEST_NAME = 64;

  private AnthropicTools() {}

  /** The name of the tool whose input is the answer, or "" when the answer is text. */
  static String answerTool(ModelRequest request) {
    Format format = request.format();
    Mode mode = request.toolChoice().mode();
    boolean callDemanded =
        !request.tools().isEmpty() && (mode == Mode.REQUIRED || mode == Mode.NAMED);
    if (format == null || callDemanded) {
      return "";
    }
    String name = format.name().replaceAll("[^A-Za-z0-9_-]", "_");
    name = name.isEmpty() ? "answer" : name.substring(0, Math.min(LONGEST_NAME, name.length()));
    while (isTaken(request.tools(), name)) {
      name = "_" + name.substring(0, Math.min(LONGEST_NAME - 1, name.length()));
    }
    return name;
  }

  private static boolean isTaken(List<Tool> tools, String name) {
    return tools.stream().anyMatch(tool -> tool.name().equals(name));
  }

  static void put(JsonObject body, ModelRequest request) {
    JsonArray tools = new JsonArray();
    request.tools().forEach(tool -> tools.add(tool(tool)));
    String answerTool = answerTool(request);
    Format format = request.format();
    if (format != null && !answerTool.isEmpty()) {
      tools.add(tool(answerTool, "Gives the answer to the person.", format.schema()));
    }
    JsonObject choice = choice(request, answerTool);
    if (tools.isEmpty()) {
      calledBefore(request).forEach(name -> tools.add(tool(name, "", null)));
      choice = new JsonObject().put("type", "none");
    }
    if (!tools.isEmpty()) {
      body.put("tools", tools).put("tool_choice", choice);
    }
  }

  /** Tools of earlier turns must be declared, though none may be called any more. */
  private static List<String> calledBefore(ModelRequest request) {
    return request.messages().stream()
        .flatMap(message -> message.calls().stream())
        .map(Call::name)
        .distinct()
        .toList();
  }

  private static JsonObject choice(ModelRequest request, String answerTool) {
    ToolChoice choice = request.toolChoice();
    if (!answerTool.isEmpty()) {
      boolean alone = request.tools().isEmpty() || choice.mode() == Mode.NONE;
      JsonObject forced = alone
          ? new JsonObject().put("type", "tool").put("name", answerTool)
          : new JsonObject().put("type", "any"); // a call of the caller's, or the answer
      return forced.put("disable_parallel_tool_use", true);
    }
    return switch (choice.mode()) {
      case AUTO -> new JsonObject().put("type", "auto");
      case NONE -> new JsonObject().put("type", "none");
      case REQUIRED -> new JsonObject().put("type", "any");
      case NAMED -> new JsonObject().put("type", "tool").put("name", choice.name());
    };
  }

  private static JsonObject tool(Tool tool) {
    return tool(tool.name(), tool.description(), tool.parameters());
  }

  private static JsonObject tool(String name, String description, @Nullable JsonObject schema) {
    JsonObject tool = new JsonObject().put("name", name);
    if (!description.isBlank()) {
      tool.put("description", description);
    }
    JsonObject input = schema == null ? new JsonObject() : schema.copy();
    if (!input.containsKey("type")) {
      input.put("type", "object");
    }
    return tool.put("input_schema", input);
  }
}
