package dev.askgateway.provider.anthropic;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.sse.SseEvent;
import dev.askgateway.provider.sse.SseReader;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Events of Messages in the shape that Anthropic sends, and what the dialect makes of them. */
final class Recorded {
  static final String PING = event("ping", "");
  static final String STOPPED = event("message_stop", "");

  private Recorded() {}

  /** An event of this type with these further members. */
  static String event(String type, String members) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\""
        + (members.isEmpty() ? "" : "," + members) + "}\n\n";
  }

  static String start(String id, String usage) {
    return event(
        "message_start",
        "\"message\":{\"id\":\"" + id + "\",\"type\":\"message\",\"role\":\"assistant\","
            + "\"model\":\"claude-x\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
            + "\"usage\":{" + usage + "}}");
  }

  static String start() {
    return start(
        "msg_01",
        "\"input_tokens\":9,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,"
            + "\"output_tokens\":1,\"service_tier\":\"standard\"");
  }

  static String open(int index, String block) {
    return event(
        "content_block_start", "\"index\":" + index + ",\"content_block\":{" + block + "}");
  }

  static String delta(int index, String type, String member, String value) {
    return event(
        "content_block_delta",
        "\"index\":" + index + ",\"delta\":{\"type\":\"" + type + "\",\"" + member + "\":\"" + value
            + "\"}");
  }

  static String close(int index) {
    return event("content_block_stop", "\"index\":" + index);
  }

  /** A whole text block. */
  static String text(int index, String... pieces) {
    StringBuilder block = new StringBuilder(open(index, "\"type\":\"text\",\"text\":\"\""));
    for (String piece : pieces) {
      block.append(delta(index, "text_delta", "text", piece));
    }
    return block + close(index);
  }

  static String openTool(int index, String id, String name) {
    return open(
        index,
        "\"type\":\"tool_use\",\"id\":\"" + id + "\",\"name\":\"" + name + "\",\"input\":{}");
  }

  /** A piece of a tool's input, as JSON text in a JSON string. */
  static String input(int index, String piece) {
    return delta(index, "input_json_delta", "partial_json", piece.replace("\"", "\\\""));
  }

  static String reason(String reason, String usage) {
    return event(
        "message_delta",
        "\"delta\":{\"stop_reason\":\"" + reason + "\",\"stop_sequence\":null},\"usage\":{" + usage
            + "}");
  }

  static String reason(String reason) {
    return reason(reason, "\"output_tokens\":15");
  }

  static String error(String type, String message) {
    return event("error", "\"error\":{\"type\":\"" + type + "\",\"message\":\"" + message + "\"}");
  }

  /** What a dialect makes of a whole body, fed in pieces cut at these bytes. */
  static Transcript read(AnthropicDialect dialect, byte[] body, int... cuts) {
    List<TokenEvent> events = new ArrayList<>();
    SseReader reader = new SseReader(1 << 16, 1 << 16, new SseReader.Sink() {
      @Override
      public void event(SseEvent event) {
        if (!dialect.done()) {
          dialect.event(event, events::add);
        }
      }

      @Override
      public void stray(String line) {
        dialect.stray(line, events::add);
      }
    });
    try {
      int from = 0;
      for (int cut : cuts) {
        reader.feed(Buffer.buffer(body).getBuffer(from, cut));
        from = cut;
      }
      reader.feed(Buffer.buffer(body).getBuffer(from, body.length));
      dialect.end(reader.end(), events::add);
      return new Transcript(events, null);
    } catch (GatewayError error) {
      return new Transcript(events, error);
    }
  }

  static Transcript read(String... events) {
    return read(new AnthropicDialect(""), String.join("", events).getBytes(StandardCharsets.UTF_8));
  }

  /** Read as the answer to a request for structured output. */
  static Transcript readAnswer(String answerTool, String... events) {
    return read(
        new AnthropicDialect(answerTool), String.join("", events).getBytes(StandardCharsets.UTF_8));
  }

  /** The events that are no usage reports. */
  static List<TokenEvent> content(Transcript transcript) {
    return transcript.events().stream()
        .filter(event -> !(event instanceof TokenEvent.Metered))
        .toList();
  }
}
