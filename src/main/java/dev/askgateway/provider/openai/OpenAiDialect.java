package dev.askgateway.provider.openai;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.SseEvent;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunks of one chat completion. Upstream is read leniently: only what is used is looked
 * at, and every server leaves out or adds something.
 *
 * <p>Whole is an answer with an end marker or a finish reason. The reason is told at the end, after
 * the usage, because some servers go on after it.
 */
final class OpenAiDialect implements SseDialect {
  private static final String END_MARKER = "[DONE]";

  private boolean done;
  private boolean anyChoice;
  private boolean refused;
  private String finishReason = "";
  private @Nullable Usage usage;

  @Override
  public void event(SseEvent event, Consumer<TokenEvent> out) {
    String data = event.data().strip();
    if (data.equals(END_MARKER)) {
      done = true;
    } else if (data.startsWith("{")) {
      chunk(parse(data), out);
    } // else a keep-alive that somebody wrote as data
  }

  /** A bare JSON error, as some servers send it in the middle of an event stream. */
  @Override
  public void stray(String line, Consumer<TokenEvent> out) {
    if (line.startsWith("{")) {
      JsonObject object = tryParse(line);
      if (object != null) {
        throwError(object);
      }
    }
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public boolean finishing() {
    return !finishReason.isEmpty();
  }

  @Override
  public void end(@Nullable SseEvent pending, Consumer<TokenEvent> out) {
    if (pending != null && !done && isTerminal(pending)) {
      event(pending, out);
    }
    if (!anyChoice) {
      throw ProviderFailure.error(Kind.PROTOCOL, "no choice in the answer");
    }
    if (!done && finishReason.isEmpty()) {
      throw ProviderFailure.error(Kind.TRUNCATED, "no finish reason and no end marker");
    }
    out.accept(new TokenEvent.Finished(reason()));
  }

  /** Whether an event without its blank line is whole: it parses, and it is one that ends things. */
  private static boolean isTerminal(SseEvent pending) {
    String data = pending.data().strip();
    if (data.equals(END_MARKER)) {
      return true;
    }
    JsonObject chunk = data.startsWith("{") ? tryParse(data) : null;
    if (chunk == null) {
      return false;
    }
    boolean usageOnly = Lenient.array(chunk, "choices").isEmpty() && OpenAiUsage.of(chunk) != null;
    JsonObject choice = firstChoice(chunk);
    return usageOnly
        || UpstreamErrors.member(chunk) != null
        || (choice != null && !Lenient.text(choice, "finish_reason").isEmpty());
  }

  private void chunk(JsonObject chunk, Consumer<TokenEvent> out) {
    throwError(chunk);
    JsonObject choice = firstChoice(chunk);
    if (choice != null) {
      anyChoice = true;
      delta(Lenient.object(choice, "delta"), out); // first: the last text may be beside the reason
      String reason = Lenient.text(choice, "finish_reason");
      if (reason.equals("error")) {
        throw ProviderFailure.error(Kind.UNAVAILABLE, "in stream, finish reason error");
      }
      if (!reason.isEmpty()) {
        finishReason = reason;
      }
    }
    Usage reported = OpenAiUsage.of(chunk);
    if (reported != null && !reported.equals(usage)) {
      usage = reported;
      out.accept(new TokenEvent.Metered(reported));
    }
  }

  private void delta(JsonObject delta, Consumer<TokenEvent> out) {
    String reasoning = Lenient.text(delta, "reasoning_content");
    reasoning(reasoning.isEmpty() ? Lenient.text(delta, "reasoning") : reasoning, out);
    if (delta.getValue("content") instanceof JsonArray parts) {
      parts.forEach(part -> part(part, out));
    } else {
      text(Lenient.text(delta, "content"), out);
    }
    String refusal = Lenient.text(delta, "refusal");
    refused |= !refusal.isEmpty();
    text(refusal, out);
  }

  /** A part of a content list: {@code text} holds the answer, {@code thinking} a string or a list. */
  private static void part(@Nullable Object part, Consumer<TokenEvent> out) {
    if (!(part instanceof JsonObject object)) {
      return;
    }
    reasoning(Lenient.text(object, "thinking"), out);
    for (Object thought : Lenient.array(object, "thinking")) {
      if (thought instanceof JsonObject inner) {
        reasoning(Lenient.text(inner, "text"), out);
      }
    }
    text(Lenient.text(object, "text"), out);
  }

  private static void text(String delta, Consumer<TokenEvent> out) {
    if (!delta.isEmpty()) {
      out.accept(new TokenEvent.Text(delta));
    }
  }

  private static void reasoning(String delta, Consumer<TokenEvent> out) {
    if (!delta.isEmpty()) {
      out.accept(new TokenEvent.Reasoning(delta));
    }
  }

  /** The choice with index 0: others are further answers that nobody asked for. */
  private static @Nullable JsonObject firstChoice(JsonObject chunk) {
    for (Object choice : Lenient.array(chunk, "choices")) {
      if (choice instanceof JsonObject object && Lenient.numberOr(object, "index", 0) == 0) {
        return object;
      }
    }
    return null;
  }

  private static void throwError(JsonObject chunk) {
    Object error = UpstreamErrors.member(chunk);
    if (error != null) {
      throw UpstreamErrors.ofStream(error);
    }
  }

  private static JsonObject parse(String data) {
    JsonObject object = tryParse(data);
    if (object == null) {
      throw ProviderFailure.error(Kind.PROTOCOL, "an event that is not JSON");
    }
    return object;
  }

  private static @Nullable JsonObject tryParse(String data) {
    try {
      return new JsonObject(data);
    } catch (DecodeException | ClassCastException notAnObject) {
      return null;
    }
  }

  private FinishReason reason() {
    return switch (finishReason) {
      case "stop" -> refused ? FinishReason.CONTENT_FILTER : FinishReason.STOP;
      case "length" -> FinishReason.LENGTH;
      case "content_filter" -> FinishReason.CONTENT_FILTER;
      case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
      default -> FinishReason.OTHER;
    };
  }
}
