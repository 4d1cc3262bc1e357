package dev.askgateway.provider.gemini;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.SseEvent;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one streamed generateContent, each a whole response object. There is no end
 * marker: the end of the body is the end, and the answer is whole if a finish reason was seen. The last
 * reason counts, because some answers begin with an empty frame that says STOP.
 *
 * <p>CONTINUATION, with which the server asks for the same request once more with a token, is told as
 * LENGTH: nobody here asks again, so the answer is as cut off as one at the token limit.
 *
 * <p>The signature of a text part has no place in a token event and is dropped; the signature of a call
 * is kept, as the model wants it back.
 */
final class GeminiDialect implements SseDialect {
  /** Most that is kept of a body that is no event stream, to see whether it is an error. */
  private static final int MOST_STRAY = 16 << 10;

  private final GeminiUsage usage = new GeminiUsage();
  private final GeminiCalls calls = new GeminiCalls();
  private final StringBuilder strays = new StringBuilder();
  private String finishReason = "";
  private boolean blocked;
  private boolean anyText;

  @Override
  public void event(SseEvent event, Consumer<TokenEvent> out) {
    strays.setLength(0);
    String data = event.data().strip();
    if (data.startsWith("{")) {
      if (!(GeminiErrors.tryParse(data) instanceof JsonObject response)) {
        throw ProviderFailure.error(Kind.PROTOCOL, "an event that is not JSON");
      }
      response(response, out);
    } else {
      throwError(GeminiErrors.tryParse(data));
    } // else a keep-alive, or the end marker of another dialect
  }

  /** A line of an error that comes as plain JSON, an object or an array, maybe on several lines. */
  @Override
  public void stray(String line, Consumer<TokenEvent> out) {
    boolean begins = line.startsWith("{") || line.startsWith("[");
    if ((strays.isEmpty() && !begins) || strays.length() + line.length() > MOST_STRAY) {
      return;
    }
    strays.append(line).append('\n');
    String end = line.stripTrailing();
    if (end.endsWith("}") || end.endsWith("]")) {
      throwError(GeminiErrors.tryParse(strays.toString()));
    }
  }

  @Override
  public boolean done() {
    return false;
  }

  /** An empty STOP before any text does not count: the text may take its time. */
  @Override
  public boolean finishing() {
    boolean empty = !anyText && !calls.any();
    return blocked || (!finishReason.isEmpty() && !(empty && finishReason.equals("STOP")));
  }

  @Override
  public void end(@Nullable SseEvent pending, Consumer<TokenEvent> out) {
    // An object that lost its end does not parse, so one that does is whole.
    if (pending != null && GeminiErrors.tryParse(pending.data()) != null) {
      event(pending, out);
    }
    if (finishReason.isEmpty() && !blocked) {
      throw ProviderFailure.error(Kind.TRUNCATED, "no finish reason");
    }
    if (finishReason.equals("STOP")) {
      calls.close(out); // with any other reason an unfinished call is none
    }
    out.accept(new TokenEvent.Finished(reason()));
  }

  private void response(JsonObject response, Consumer<TokenEvent> out) {
    throwError(response);
    JsonObject candidate = firstCandidate(response);
    if (candidate != null) {
      String id = Lenient.text(response, "responseId");
      for (Object part : Lenient.array(Lenient.object(candidate, "content"), "parts")) {
        if (part instanceof JsonObject object) {
          part(object, id, out); // before the reason, which may be beside the last text
        }
      }
      String reason = Lenient.text(candidate, "finishReason");
      if (!reason.isEmpty() && !reason.equals("FINISH_REASON_UNSPECIFIED")) {
        finishReason = reason;
      }
    } else if (isBlocked(response)) {
      blocked = true;
    }
    Usage told = usage.read(response);
    if (told != null) {
      out.accept(new TokenEvent.Metered(told));
    }
  }

  private void part(JsonObject part, String responseId, Consumer<TokenEvent> out) {
    String text = Lenient.text(part, "text");
    if (part.getValue("functionCall") instanceof JsonObject call) {
      calls.read(call, Lenient.text(part, "thoughtSignature"), responseId, out);
    } else if (!text.isEmpty() && Boolean.TRUE.equals(part.getValue("thought"))) {
      out.accept(new TokenEvent.Reasoning(text));
    } else if (!text.isEmpty()) {
      anyText = true;
      out.accept(new TokenEvent.Text(text));
    }
  }

  /** The candidate with index 0: others are further answers that nobody asked for. */
  private static @Nullable JsonObject firstCandidate(JsonObject response) {
    for (Object candidate : Lenient.array(response, "candidates")) {
      if (candidate instanceof JsonObject object && Lenient.numberOr(object, "index", 0) == 0) {
        return object;
      }
    }
    return null;
  }

  private static boolean isBlocked(JsonObject response) {
    String reason = Lenient.text(Lenient.object(response, "promptFeedback"), "blockReason");
    return !reason.isEmpty() && !reason.equals("BLOCK_REASON_UNSPECIFIED");
  }

  private static void throwError(@Nullable Object json) {
    Object error = GeminiErrors.errorIn(json);
    if (error != null) {
      throw GeminiErrors.ofStream(error);
    }
  }

  private FinishReason reason() {
    return switch (finishReason) {
      case "" -> FinishReason.CONTENT_FILTER; // the prompt was blocked
      case "STOP" -> calls.any() ? FinishReason.TOOL_CALLS : FinishReason.STOP;
      case "MAX_TOKENS", "CONTINUATION" -> FinishReason.LENGTH;
      case "SAFETY", "IMAGE_SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII" ->
        FinishReason.CONTENT_FILTER;
      case "MALFORMED_FUNCTION_CALL" -> FinishReason.ERROR;
      default -> FinishReason.OTHER;
    };
  }
}
