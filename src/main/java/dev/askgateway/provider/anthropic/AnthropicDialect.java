package dev.askgateway.provider.anthropic;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.SseEvent;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one message. Unknown events are read over, since new ones appear often; an
 * error never is, wherever it stands.
 *
 * <p>Whole is a message with {@code message_stop} or a reason to stop.
 */
final class AnthropicDialect implements SseDialect {
  /** The events that an event without its blank line may still be: they end things. */
  private static final Set<String> LAST = Set.of("message_delta", "message_stop", "error");

  /** Estimated tokens of output between two reports of the usage so far. */
  private static final long METER_STEP = 64;

  private final AnthropicBlocks blocks;
  private final AnthropicUsage usage = new AnthropicUsage();
  private boolean started;
  private boolean begun;
  private boolean done;
  private String messageId = "";
  private String stopReason = "";
  private @Nullable Usage told;

  /**
   * @param answerTool the tool whose input is the answer, or ""
   */
  AnthropicDialect(String answerTool) {
    this.blocks = new AnthropicBlocks(answerTool);
  }

  @Override
  public void event(SseEvent event, Consumer<TokenEvent> out) {
    String data = event.data().strip();
    if (data.startsWith("{")) {
      JsonObject json = tryParse(data);
      if (json == null) {
        throw ProviderFailure.error(Kind.PROTOCOL, "an event that is not JSON");
      }
      read(event.type(), json, out);
    } else if (event.type().equals("error")) {
      throw failed(data, out);
    } // else a keep-alive that somebody wrote as data
  }

  /** A bare JSON error, as a server in between may send it in a 200. */
  @Override
  public void stray(String line, Consumer<TokenEvent> out) {
    JsonObject json = line.startsWith("{") ? tryParse(line) : null;
    Object error = json == null ? null : UpstreamErrors.member(json);
    if (error != null) {
      throw failed(error, out);
    }
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public boolean finishing() {
    return !stopReason.isEmpty();
  }

  @Override
  public void end(@Nullable SseEvent pending, Consumer<TokenEvent> out) {
    if (pending != null && !done && isLast(pending)) {
      event(pending, out);
    }
    if (!begun) {
      throw ProviderFailure.error(Kind.PROTOCOL, "no message in the answer");
    }
    if (!done && stopReason.isEmpty()) {
      meter(0, out);
      throw ProviderFailure.error(Kind.TRUNCATED, "no stop reason and no message_stop");
    }
    FinishReason reason = reason();
    if (reason != FinishReason.LENGTH) {
      blocks.close(out); // at the cap an open call is cut off, not one without arguments
    }
    meter(0, out);
    out.accept(new TokenEvent.Finished(reason));
  }

  private static boolean isLast(SseEvent pending) {
    String data = pending.data().strip();
    JsonObject json = data.startsWith("{") ? tryParse(data) : null;
    return json != null
        && (LAST.contains(type(pending.type(), json)) || UpstreamErrors.member(json) != null);
  }

  private static String type(String eventLine, JsonObject json) {
    String type = Lenient.text(json, "type");
    return type.isEmpty() ? eventLine : type;
  }

  private void read(String eventLine, JsonObject json, Consumer<TokenEvent> out) {
    Object error = UpstreamErrors.member(json);
    if (error != null) {
      throw failed(error, out);
    }
    long index = Lenient.numberOr(json, "index", 0);
    switch (type(eventLine, json)) {
      case "message_start" -> start(Lenient.object(json, "message"), out);
      case "content_block_start" -> {
        begun = true;
        blocks.start(index, Lenient.object(json, "content_block"), out);
      }
      case "content_block_delta" -> {
        begun = true;
        blocks.delta(index, Lenient.object(json, "delta"), out);
        meter(METER_STEP, out);
      }
      case "content_block_stop" -> blocks.stop(index, out);
      case "message_delta" -> stop(json, out);
      case "message_stop" -> done = true;
      case "error" -> throw failed(json, out);
      default -> {
        if (eventLine.equals("error")) {
          throw failed(json, out); // the error itself, without the event around it
        }
      }
    }
  }

  private void start(JsonObject message, Consumer<TokenEvent> out) {
    String id = Lenient.text(message, "id");
    if (started) {
      if (!id.isEmpty() && !messageId.isEmpty() && !id.equals(messageId)) {
        meter(0, out);
        throw ProviderFailure.error(Kind.PROTOCOL, "a second message within the first");
      }
      return;
    }
    started = true;
    begun = true;
    messageId = id;
    usage.started(Lenient.object(message, "usage"));
    meter(0, out);
    blocks.whole(Lenient.array(message, "content"), out);
  }

  private void stop(JsonObject json, Consumer<TokenEvent> out) {
    begun = true;
    String reason = Lenient.text(Lenient.object(json, "delta"), "stop_reason");
    if (!reason.isEmpty()) {
      stopReason = reason;
    }
    usage.soFar(Lenient.object(json, "usage"));
    meter(0, out);
  }

  /** Tells the usage so far, if it is another than before and its output grew by the step. */
  private void meter(long step, Consumer<TokenEvent> out) {
    Usage now = usage.after(blocks.chars());
    if (now == null || now.equals(told)) {
      return;
    }
    if (told == null || step == 0 || now.outputTokens() - told.outputTokens() >= step) {
      told = now;
      out.accept(new TokenEvent.Metered(now));
    }
  }

  private GatewayError failed(Object error, Consumer<TokenEvent> out) {
    meter(0, out);
    return AnthropicErrors.ofStream(error);
  }

  private static @Nullable JsonObject tryParse(String data) {
    try {
      return new JsonObject(data);
    } catch (DecodeException | ClassCastException notAnObject) {
      return null;
    }
  }

  private FinishReason reason() {
    return switch (stopReason) {
      case "end_turn", "stop_sequence", "pause_turn" -> FinishReason.STOP;
      case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
      case "tool_use" -> blocks.onlyAnswered() ? FinishReason.STOP : FinishReason.TOOL_CALLS;
      case "refusal" -> FinishReason.CONTENT_FILTER;
      default -> FinishReason.OTHER;
    };
  }
}
