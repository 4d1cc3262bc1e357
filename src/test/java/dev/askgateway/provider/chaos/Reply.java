package dev.askgateway.provider.chaos;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** What a server does with one request, step by step; after the last step it waits for the next one. */
public record Reply(List<Act> acts) {

  /** One step. The next follows when the bytes of this one have been written. */
  public sealed interface Act {}

  /** These bytes as they are. */
  public record Raw(Buffer bytes) implements Act {}

  /** These bytes as one HTTP chunk. */
  public record Chunk(Buffer bytes) implements Act {}

  /** The end of the chunked body. */
  public record EndBody() implements Act {}

  /** Closes the connection properly, whatever is missing. */
  public record Fin() implements Act {}

  /** Closes the connection with a reset. */
  public record Rst() implements Act {}

  /** Waits, so that what was written before is read by itself. */
  public record Wait(long millis) implements Act {}

  /** Says nothing until the caller leaves. */
  public record Hold() implements Act {}

  /** This chunk again and again, so many milliseconds apart, until the caller leaves. */
  public record Again(Buffer bytes, long millis) implements Act {}

  public Reply {
    acts = List.copyOf(acts);
  }

  public static Reply of(Act... acts) {
    return new Reply(List.of(acts));
  }

  public Reply then(Act... more) {
    List<Act> all = new ArrayList<>(acts);
    all.addAll(List.of(more));
    return new Reply(all);
  }

  public Reply then(List<? extends Act> more) {
    return then(more.toArray(Act[]::new));
  }

  /** The head of an event stream, and nothing of it yet. */
  public static Reply head() {
    return of(new Raw(Buffer.buffer("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n")));
  }

  /** An event stream of these pieces, each a chunk of its own, not ended. */
  public static Reply stream(List<String> pieces) {
    return head().then(pieces.stream().map(Buffer::buffer).map(Chunk::new).toList());
  }

  /** A whole answer. */
  public static Reply answer(Wording wording, Script script) {
    return stream(wording.events(script)).then(new EndBody());
  }

  /** A whole answer, its bytes sent as the delivery says. */
  public static Reply answer(Wording wording, Script script, Delivery delivery) {
    return head().then(delivery.acts(wording.say(script))).then(new EndBody());
  }

  /**
   * A response with another status and its length.
   *
   * @param headers further header lines, each ended by CRLF
   */
  public static Reply status(int status, String headers, String body) {
    return of(new Raw(Buffer.buffer("HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: "
        + Buffer.buffer(body).length() + "\r\n\r\n" + body)));
  }
}
