package dev.askgateway.relay.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import io.vertx.core.buffer.Buffer;

/**
 * A model's events as {@code chat.completion.chunk} events, written by hand: no JSON tree for a delta.
 * Chunks that upstream wrote are framed as they are, and then speak for the end and the usage too.
 */
public final class ChunkEncoder implements TokenEvent.Cases<Boolean> {
  private static final byte[] DATA = "data: ".getBytes(UTF_8);
  private static final byte[] BLANK = "\n\n".getBytes(UTF_8);
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(UTF_8);
  private static final byte[] DELTA = "{\"index\":0,\"delta\":{".getBytes(UTF_8);
  private static final byte[] ROLE = "\"role\":\"assistant\"".getBytes(UTF_8);
  private static final byte[] CONTENT = "\"content\":\"".getBytes(UTF_8);
  private static final byte[] REASONING = "\"reasoning_content\":\"".getBytes(UTF_8);
  private static final byte[] OPEN_END =
      "},\"logprobs\":null,\"finish_reason\":null}]".getBytes(UTF_8);

  /** Which text a half belongs to; tool calls count from 0. */
  private static final int OF_CONTENT = -1;

  private static final int OF_REASONING = -2;

  private final JsonText text = new JsonText();
  private final Halves halves = new Halves();
  private final Answering answering;
  private byte[] head;
  private final byte[] tail;
  private final boolean includeUsage;
  private Buffer out = Buffer.buffer();
  private FinishReason reason = FinishReason.OTHER;
  private boolean begun;
  private boolean verbatim;
  private boolean usageSent;

  /** @param includeUsage whether the client asked for a usage report at the end */
  public ChunkEncoder(Answering answering, boolean includeUsage) {
    this.answering = answering;
    this.head = head(answering);
    this.tail = (includeUsage ? ",\"usage\":null}\n\n" : "}\n\n").getBytes(UTF_8);
    this.includeUsage = includeUsage;
  }

  private byte[] head(Answering answering) {
    Buffer start = Buffer.buffer("data: {\"id\":\"");
    text.append(answering.id(), start);
    start.appendString("\",\"object\":\"chat.completion.chunk\",\"created\":" + answering.created()
        + ",\"model\":\"");
    text.append(answering.model(), start);
    return start.appendString("\",\"choices\":[").getBytes();
  }

  /** Says another time of all that comes, in seconds since 1970. */
  void created(long seconds) {
    head = head(answering.at(seconds));
  }

  /** Appends what the event becomes, if it becomes anything. */
  public void encode(TokenEvent event, Buffer to) {
    out = to;
    event.match(this);
  }

  /** Appends the end of a whole answer. */
  public void end(Usage usage, Buffer to) {
    out = to;
    if (!verbatim) {
      rest();
      open();
      out.appendString("},\"logprobs\":null,\"finish_reason\":\"")
          .appendString(OpenAiJson.of(reason))
          .appendString("\"}]");
      out.appendBytes(tail);
    }
    if (includeUsage && !usageSent) {
      out.appendBytes(head)
          .appendString("],\"usage\":")
          .appendString(OpenAiJson.of(usage).encode())
          .appendString("}\n\n");
    }
    out.appendBytes(DONE);
  }

  /** Appends the end of an answer that failed when its head was out. */
  public void fail(Throwable failure, Buffer to) {
    to.appendBytes(DATA).appendBuffer(EdgeErrors.body(failure).toBuffer()).appendBytes(BLANK);
    to.appendBytes(DONE);
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    return piece(CONTENT, halves.join(OF_CONTENT, event.delta()));
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    return piece(REASONING, halves.join(OF_REASONING, event.delta()));
  }

  private Boolean piece(byte[] member, String delta) {
    if (!delta.isEmpty()) {
      if (open()) {
        out.appendByte((byte) ',');
      }
      out.appendBytes(member);
      text.append(delta, out);
      out.appendByte((byte) '"');
      close();
    }
    return true;
  }

  @Override
  public Boolean toolCall(TokenEvent.ToolCall event) {
    boolean first = open();
    out.appendString(
            first ? ",\"content\":null,\"tool_calls\":[{\"index\":" : "\"tool_calls\":[{\"index\":")
        .appendString(Integer.toString(event.index()));
    if (!event.id().isEmpty()) {
      member(",\"id\":\"", event.id());
      out.appendString("\",\"type\":\"function\"");
    }
    out.appendString(",\"function\":{");
    if (!event.name().isEmpty()) {
      member("\"name\":\"", event.name());
      out.appendString("\",");
    }
    member("\"arguments\":\"", halves.join(event.index(), event.arguments()));
    out.appendString("\"}");
    if (!event.signature().isEmpty()) {
      member(",\"extra_content\":{\"google\":{\"thought_signature\":\"", event.signature());
      out.appendString("\"}}");
    }
    out.appendString("}]");
    close();
    return true;
  }

  private void member(String opening, String value) {
    out.appendString(opening);
    text.append(value, out);
  }

  @Override
  public Boolean chunk(TokenEvent.Chunk event) {
    verbatim = true;
    usageSent |= event.usageOnly();
    if (!event.usageOnly() || includeUsage) {
      out.appendBytes(DATA).appendBuffer(event.json()).appendBytes(BLANK);
    }
    return true;
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    return true;
  }

  /** Told at the end: a chunk that comes yet may say it in upstream's own words. */
  @Override
  public Boolean finished(TokenEvent.Finished event) {
    reason = event.reason();
    return true;
  }

  private void rest() {
    piece(REASONING, halves.rest(OF_REASONING));
    piece(CONTENT, halves.rest(OF_CONTENT));
  }

  /** Begins a chunk and tells whether it is the first, which says who speaks. */
  private boolean open() {
    out.appendBytes(head).appendBytes(DELTA);
    if (begun) {
      return false;
    }
    begun = true;
    out.appendBytes(ROLE);
    return true;
  }

  private void close() {
    out.appendBytes(OPEN_END).appendBytes(tail);
  }
}
