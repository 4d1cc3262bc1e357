package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One choice of a chunk. Absent members are "" or empty. */
final class StreamedChoice {
  private long index;
  private String finishReason = "";
  private String reasoningContent = "";
  private String reasoning = "";
  private String content = "";
  private String refusal = "";
  private List<TokenEvent> parts = List.of();
  private List<CallPiece> calls = List.of();
  private @Nullable CallPiece function;
  private @Nullable Usage usage;

  private StreamedChoice() {}

  /** The choice that begins at the parser. */
  static StreamedChoice read(JsonParser at) throws IOException {
    StreamedChoice choice = new StreamedChoice();
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "index" -> choice.index = orZero(Lenient.number(at));
        case "delta" -> choice.delta(at);
        case "finish_reason" -> choice.finishReason = Lenient.text(at);
        case "usage" -> choice.usage = OpenAiUsage.read(at);
        default -> at.skipChildren();
      }
    }
    return choice;
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private void delta(JsonParser at) throws IOException {
    if (!Lenient.isObject(at)) {
      return;
    }
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "content" -> content(at);
        case "reasoning_content" -> reasoningContent = Lenient.text(at);
        case "reasoning" -> reasoning = Lenient.text(at);
        case "refusal" -> refusal = Lenient.text(at);
        case "tool_calls" -> calls(at);
        case "function_call" ->
          function = at.hasToken(JsonToken.START_OBJECT) ? CallPiece.function(at) : null;
        default -> at.skipChildren();
      }
    }
  }

  private void content(JsonParser at) throws IOException {
    if (at.hasToken(JsonToken.START_ARRAY) && Trees.any(at) instanceof JsonArray list) {
      parts = new ArrayList<>();
      list.forEach(this::part);
    } else {
      content = Lenient.text(at);
    }
  }

  /** A part of a content list: {@code text} holds the answer, {@code thinking} a string or a list. */
  private void part(@Nullable Object part) {
    if (!(part instanceof JsonObject object)) {
      return;
    }
    reasoning(Lenient.text(object, "thinking"), parts::add);
    for (Object thought : Lenient.array(object, "thinking")) {
      if (thought instanceof JsonObject inner) {
        reasoning(Lenient.text(inner, "text"), parts::add);
      }
    }
    text(Lenient.text(object, "text"), parts::add);
  }

  private void calls(JsonParser at) throws IOException {
    if (!Lenient.isArray(at)) {
      return;
    }
    List<CallPiece> pieces = new ArrayList<>(1);
    while (at.nextToken() != JsonToken.END_ARRAY) {
      if (Lenient.isObject(at)) {
        pieces.add(CallPiece.read(at));
      }
    }
    calls = pieces;
  }

  long index() {
    return index;
  }

  /** Why it stopped, "" while it goes on. */
  String finishReason() {
    return finishReason;
  }

  /** What Kimi reports here instead of in the chunk. */
  @Nullable
  Usage usage() {
    return usage;
  }

  boolean refuses() {
    return !refusal.isEmpty();
  }

  /** The pieces of tool calls; the old form counts only where the new one is not used as well. */
  List<CallPiece> calls() {
    return calls.isEmpty() && function != null ? List.of(function) : calls;
  }

  /** Tells reasoning and text, in the order they are shown. */
  void tell(Consumer<TokenEvent> out) {
    reasoning(reasoning(), out);
    parts.forEach(out);
    text(content, out);
    text(refusal, out);
  }

  int textChars() {
    int chars = content.length() + refusal.length();
    for (TokenEvent part : parts) {
      chars += part instanceof TokenEvent.Text text ? text.delta().length() : 0;
    }
    return chars;
  }

  int otherChars() {
    int chars = reasoning().length();
    for (TokenEvent part : parts) {
      chars += part instanceof TokenEvent.Reasoning thought ? thought.delta().length() : 0;
    }
    for (CallPiece call : calls()) {
      chars += call.chars();
    }
    return chars;
  }

  /** Under either name: servers that send both say the same twice. */
  private String reasoning() {
    return reasoningContent.isEmpty() ? reasoning : reasoningContent;
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
}
