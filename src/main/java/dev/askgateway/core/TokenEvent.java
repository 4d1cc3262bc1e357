package dev.askgateway.core;

import io.vertx.core.buffer.Buffer;

/** What a model can say, whichever vendor said it. */
public sealed interface TokenEvent {

  <R> R match(Cases<R> cases);

  /** One method for each kind: exhaustive on Java 17, which has no pattern switch. */
  interface Cases<R> {
    R text(Text event);

    R reasoning(Reasoning event);

    /** A call the model wants made. Where no tools were offered there is nothing to do with it. */
    R toolCall(ToolCall event);

    R metered(Metered event);

    R finished(Finished event);

    /** Comes only from calls that were asked to pass on chunks as they are. */
    R chunk(Chunk event);
  }

  /** A piece of the answer, not empty. May end or begin with half a surrogate pair. */
  record Text(String delta) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.text(this);
    }
  }

  /** A piece of the model's reasoning, kept apart from the answer. */
  record Reasoning(String delta) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.reasoning(this);
    }
  }

  /**
   * A piece of a tool call. The pieces of one index are joined: the first has id and name, each may
   * have some of the arguments. A call is whole when the stream ends well, never before.
   *
   * @param index which of the calls of this answer, from 0, without gaps
   * @param id the call's id, or "" in later pieces
   * @param name the tool's name, or "" in later pieces
   * @param arguments the next piece of the JSON text of the arguments, maybe ""
   * @param signature what the vendor wants back with the call in the next turn, or ""
   */
  record ToolCall(int index, String id, String name, String arguments, String signature)
      implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.toolCall(this);
    }
  }

  /**
   * A chunk of an OpenAI chat completion exactly as upstream wrote it, in place of the text,
   * reasoning and tool call in it. Usage and end are told by events of their own as well.
   *
   * @param json the data of one event, UTF-8, without the framing
   * @param textChars characters of answer text in it
   * @param otherChars characters of reasoning and of tool calls in it; a call counts at least 1
   * @param usageOnly whether it has no choice but a usage report
   */
  record Chunk(Buffer json, int textChars, int otherChars, boolean usageOnly)
      implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.chunk(this);
    }
  }

  /** The usage so far: a later one replaces it, they are never added. */
  record Metered(Usage usage) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.metered(this);
    }
  }

  /** The model said why it stopped. Usage may still follow; the stream's end is the end. */
  record Finished(FinishReason reason) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.finished(this);
    }
  }
}
