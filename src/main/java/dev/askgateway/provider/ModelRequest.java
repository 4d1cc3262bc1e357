package dev.askgateway.provider;

import dev.askgateway.core.Prompt;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one model is asked, in no vendor's words. Each dialect writes it as its own request.
 *
 * @param messages in the order they are sent; system messages may stand anywhere
 * @param tools what the model may ask to have called; empty: nothing
 * @param toolChoice which of them it may or must ask for; without meaning when there are none
 * @param format the shape of the answer, or null for free text
 * @param maxOutputTokens hard cap of the answer, or null for the model's own
 * @param temperature 0 to 2, or null for the model's own
 * @param topP 0 to 1, or null for the model's own
 * @param stop texts that end the answer
 * @param prompt the grounded prompt behind it, for answerers that quote instead of generate
 * @param original the OpenAI request it was read from: a model of that dialect gets it as it was,
 *     with members nobody here knows, and answers with {@link
 *     dev.askgateway.core.TokenEvent.Chunk}s; null: none
 */
public record ModelRequest(
    List<Message> messages,
    List<Tool> tools,
    ToolChoice toolChoice,
    @Nullable Format format,
    @Nullable Integer maxOutputTokens,
    @Nullable Double temperature,
    @Nullable Double topP,
    List<String> stop,
    @Nullable Prompt prompt,
    @Nullable JsonObject original) {

  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    stop = List.copyOf(stop);
  }

  /** Who speaks. */
  public enum Role {
    SYSTEM,
    USER,
    ASSISTANT,
    /** The result of a call that the assistant asked for. */
    TOOL
  }

  /**
   * One message.
   *
   * @param calls the tool calls of an assistant's message
   * @param callId the call that a tool's message answers, or ""
   */
  public record Message(Role role, List<Part> parts, List<Call> calls, String callId) {
    public Message {
      parts = List.copyOf(parts);
      calls = List.copyOf(calls);
    }

    public static Message of(Role role, String text) {
      return new Message(role, List.of(new Text(text)), List.of(), "");
    }

    /** All text of the message. */
    public String text() {
      StringBuilder text = new StringBuilder();
      parts.forEach(part -> {
        if (part instanceof Text piece) {
          text.append(piece.text());
        }
      });
      return text.toString();
    }
  }

  /** A piece of a message. */
  public sealed interface Part {}

  public record Text(String text) implements Part {}

  /** An image: at an address that the model's vendor fetches, or as a data URL. */
  public record Image(String url) implements Part {}

  /**
   * A tool call of an earlier turn.
   *
   * @param arguments JSON text of an object
   * @param signature what {@link dev.askgateway.core.TokenEvent.ToolCall#signature} said, or ""
   */
  public record Call(String id, String name, String arguments, String signature) {}

  /**
   * A tool.
   *
   * @param parameters JSON schema of its arguments, an object
   */
  public record Tool(String name, String description, JsonObject parameters) {}

  /**
   * Which tools may be called.
   *
   * @param name the tool of {@code NAMED}, else ""
   */
  public record ToolChoice(Mode mode, String name) {
    public static final ToolChoice AUTO = new ToolChoice(Mode.AUTO, "");

    /** How free the model is. */
    public enum Mode {
      AUTO,
      NONE,
      /** At least one, whichever. */
      REQUIRED,
      NAMED
    }
  }

  /**
   * Structured output.
   *
   * @param schema JSON schema of the answer, or null for any JSON object
   */
  public record Format(String name, @Nullable JsonObject schema, boolean strict) {}

  /** A grounded prompt as a request. */
  public static ModelRequest of(Prompt prompt) {
    return new ModelRequest(
        prompt.messages().stream()
            .map(message -> Message.of(Role.valueOf(message.role().name()), message.content()))
            .toList(),
        List.of(),
        ToolChoice.AUTO,
        null,
        prompt.maxOutputTokens(),
        prompt.temperature(),
        null,
        List.of(),
        prompt,
        null);
  }

  /** Characters of all text that the model reads, the base of a usage estimate. */
  public long chars() {
    long chars = 0;
    for (Message message : messages) {
      for (Part part : message.parts()) {
        chars += part instanceof Text text ? text.text().length() : 0;
      }
      for (Call call : message.calls()) {
        chars += call.name().length() + call.arguments().length();
      }
    }
    for (Tool tool : tools) {
      chars += tool.name().length()
          + tool.description().length()
          + tool.parameters().encode().length();
    }
    return chars;
  }

  /** Whether any message holds an image. */
  public boolean hasImages() {
    return messages.stream()
        .anyMatch(message -> message.parts().stream().anyMatch(Image.class::isInstance));
  }
}
