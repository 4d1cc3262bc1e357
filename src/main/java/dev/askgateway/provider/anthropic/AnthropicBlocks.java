package dev.askgateway.provider.anthropic;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The content blocks of one message as they open, grow and close. There may be several of each kind,
 * in any order. Blocks that nobody here knows, and the ones of tools that run at Anthropic, are read
 * over with all that belongs to them.
 */
final class AnthropicBlocks {
  private enum Kind {
    SAID,
    CALL,
    /** The call whose input is the answer. */
    ANSWER,
    IGNORED
  }

  /** An open block. A call's input may be whole in its start, or come in pieces that replace it. */
  private static final class Block {
    private final Kind kind;
    private final int call;
    private final JsonObject input;
    private boolean pieces;

    private Block(Kind kind, int call, JsonObject input) {
      this.kind = kind;
      this.call = call;
      this.input = input;
    }
  }

  private final String answerTool;
  private final Map<Long, Block> open = new TreeMap<>();
  private int calls;
  private boolean answered;
  private long chars;

  /**
   * @param answerTool the tool whose input is the answer's text, or ""
   */
  AnthropicBlocks(String answerTool) {
    this.answerTool = answerTool;
  }

  /** Blocks that a message has from its start. */
  void whole(JsonArray blocks, Consumer<TokenEvent> out) {
    long index = -1; // no other event is about them
    for (Object block : blocks) {
      if (block instanceof JsonObject object) {
        start(index, object, out);
        stop(index--, out);
      }
    }
  }

  void start(long index, JsonObject block, Consumer<TokenEvent> out) {
    stop(index, out);
    switch (Lenient.text(block, "type")) {
      case "text" -> said(index).text(Lenient.text(block, "text"), out);
      case "thinking" -> said(index).reasoning(Lenient.text(block, "thinking"), out);
      case "tool_use" -> tool(index, block, out);
      default -> open.put(index, new Block(Kind.IGNORED, 0, block));
    }
  }

  void delta(long index, JsonObject delta, Consumer<TokenEvent> out) {
    Block block = open.get(index);
    if (block != null && block.kind == Kind.IGNORED) {
      return;
    }
    switch (Lenient.text(delta, "type")) {
      case "text_delta" -> text(Lenient.text(delta, "text"), out);
      case "thinking_delta" -> reasoning(Lenient.text(delta, "thinking"), out);
      case "input_json_delta" -> {
        if (block != null) {
          input(block, Lenient.text(delta, "partial_json"), out);
        }
      }
      default -> {} // signatures, citations and what is not known yet
    }
  }

  void stop(long index, Consumer<TokenEvent> out) {
    Block block = open.remove(index);
    if (block != null && !block.pieces) {
      input(block, block.input.encode(), out);
    }
  }

  /** Closes the blocks of a message that ended without doing so. */
  void close(Consumer<TokenEvent> out) {
    List.copyOf(open.keySet()).forEach(index -> stop(index, out));
  }

  /** Whether the answer came as the input of the answer's tool, and no other call with it. */
  boolean onlyAnswered() {
    return answered && calls == 0;
  }

  /** Characters of all content so far. */
  long chars() {
    return chars;
  }

  private AnthropicBlocks said(long index) {
    open.put(index, new Block(Kind.SAID, 0, new JsonObject()));
    return this;
  }

  private void tool(long index, JsonObject block, Consumer<TokenEvent> out) {
    String name = Lenient.text(block, "name");
    JsonObject input = Lenient.object(block, "input");
    if (!answerTool.isEmpty() && name.equals(answerTool)) {
      open.put(index, new Block(answered ? Kind.IGNORED : Kind.ANSWER, 0, input));
      answered = true;
      return;
    }
    String id = Lenient.text(block, "id");
    chars += name.length();
    open.put(index, new Block(Kind.CALL, calls, input));
    out.accept(new TokenEvent.ToolCall(calls, id.isEmpty() ? "call_" + calls : id, name, "", ""));
    calls++;
  }

  private void input(Block block, String piece, Consumer<TokenEvent> out) {
    boolean taken = block.kind == Kind.CALL || block.kind == Kind.ANSWER;
    if (!taken || piece.isEmpty()) {
      return;
    }
    block.pieces = true;
    chars += piece.length();
    out.accept(
        block.kind == Kind.ANSWER
            ? new TokenEvent.Text(piece)
            : new TokenEvent.ToolCall(block.call, "", "", piece, ""));
  }

  /** Where a tool's input is the answer, what is said beside it would spoil it. */
  private void text(String delta, Consumer<TokenEvent> out) {
    if (!answerTool.isEmpty()) {
      reasoning(delta, out);
    } else if (!delta.isEmpty()) {
      chars += delta.length();
      out.accept(new TokenEvent.Text(delta));
    }
  }

  private void reasoning(String delta, Consumer<TokenEvent> out) {
    if (!delta.isEmpty()) {
      chars += delta.length();
      out.accept(new TokenEvent.Reasoning(delta));
    }
  }
}
