package dev.askgateway.intake.edge;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Call;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Part;
import dev.askgateway.provider.ModelRequest.Role;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a chat completion, and notes whether that says all of them. */
final class MessageReader {
  private boolean lossy;

  /** Whether something of the messages has no neutral form: audio, a file, a call of old style. */
  boolean isLossy() {
    return lossy;
  }

  List<Message> read(Fields body) {
    JsonArray list = body.list("messages");
    if (list.isEmpty()) {
      throw body.bad("messages", "a list of at least one message");
    }
    List<Message> messages = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      messages.add(message(Fields.element(list, i, "messages")));
    }
    return messages;
  }

  private Message message(Fields fields) {
    String role = fields.required("role");
    return switch (role) {
      case "system", "developer" -> said(Role.SYSTEM, fields);
      case "user" -> said(Role.USER, fields);
      case "assistant" -> assistant(fields);
      case "tool" ->
        new Message(Role.TOOL, content(fields, true), List.of(), fields.required("tool_call_id"));
      case "function" -> {
        lossy = true;
        yield new Message(Role.TOOL, content(fields, false), List.of(), fields.required("name"));
      }
      default -> throw fields.bad("role", "system, developer, user, assistant, tool or function");
    };
  }

  private Message said(Role role, Fields fields) {
    return new Message(role, content(fields, true), List.of(), "");
  }

  private Message assistant(Fields fields) {
    List<Call> calls = new ArrayList<>(0);
    JsonArray list = fields.list("tool_calls");
    for (int i = 0; i < list.size(); i++) {
      call(Fields.element(list, i, fields.at("tool_calls")), calls);
    }
    Fields old = fields.object("function_call");
    if (old != null) {
      lossy = true;
      calls.add(new Call("", old.required("name"), old.textOr("arguments", "{}"), ""));
    }
    List<Part> parts = content(fields, false);
    String refusal = fields.text("refusal");
    if (parts.isEmpty() && refusal != null) {
      parts = List.of(new ModelRequest.Text(refusal));
    }
    lossy |= fields.object("audio") != null;
    return new Message(Role.ASSISTANT, parts, calls, "");
  }

  private void call(Fields call, List<Call> calls) {
    if (!call.textOr("type", "function").equals("function")) {
      lossy = true;
      return;
    }
    Fields function = call.requiredObject("function");
    calls.add(new Call(
        call.textOr("id", ""),
        function.required("name"),
        function.textOr("arguments", ""),
        signature(call)));
  }

  /** What Google wants back with a call, where its own OpenAI-compatible server puts it. */
  private static String signature(Fields call) {
    return call.value("extra_content") instanceof JsonObject extra
            && extra.getValue("google") instanceof JsonObject google
            && google.getValue("thought_signature") instanceof String signature
        ? signature
        : "";
  }

  private List<Part> content(Fields fields, boolean required) {
    Object content = fields.value("content");
    if (content instanceof String text) {
      return List.of(new ModelRequest.Text(text));
    }
    if (content instanceof JsonArray list) {
      List<Part> parts = new ArrayList<>(list.size());
      for (int i = 0; i < list.size(); i++) {
        Part part = part(Fields.element(list, i, fields.at("content")));
        if (part != null) {
          parts.add(part);
        }
      }
      return parts;
    }
    if (content == null && !required) {
      return List.of();
    }
    throw fields.bad("content", "a string or a list of parts");
  }

  private @Nullable Part part(Fields part) {
    switch (part.required("type")) {
      case "text" -> {
        return new ModelRequest.Text(part.textOr("text", ""));
      }
      case "refusal" -> {
        return new ModelRequest.Text(part.textOr("refusal", ""));
      }
      case "image_url" -> {
        return new ModelRequest.Image(part.requiredObject("image_url").required("url"));
      }
      default -> {
        lossy = true;
        return null;
      }
    }
  }
}
