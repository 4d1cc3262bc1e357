package dev.askgateway.provider.sse;

import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events from bytes, however the network cut them. Lines are split as bytes (LF, CRLF, a
 * bare CR) and decoded whole, so no character is ever cut. A bare CR ends its line at once: waiting
 * for a line feed after it would hold the last event back.
 */
public final class SseReader {

  /** Takes what the reader finds. */
  public interface Sink {
    void event(SseEvent event);

    /** A line that is no field, comment or blank: some servers send an error as plain JSON. */
    default void stray(String line) {}
  }

  private static final int FIRST_LINE_BYTES = 512;

  private final int maxLineBytes;
  private final int maxEventBytes;
  private final Sink sink;
  private final StringBuilder data = new StringBuilder();
  private byte[] partial = new byte[FIRST_LINE_BYTES];
  private int partialBytes;
  private int eventBytes;
  private String type = "";
  private boolean hasData;
  private boolean afterCarriageReturn;
  private boolean firstLine = true;

  public SseReader(int maxLineBytes, int maxEventBytes, Sink sink) {
    this.maxLineBytes = maxLineBytes;
    this.maxEventBytes = maxEventBytes;
    this.sink = sink;
  }

  /**
   * Reads the next bytes, telling the sink of each event they complete.
   *
   * @throws dev.askgateway.core.GatewayError when a line or event is over its cap; the stream is lost
   */
  public void feed(Buffer chunk) {
    byte[] bytes = chunk.getBytes();
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte b = bytes[i];
      if (b == '\n' && afterCarriageReturn) {
        afterCarriageReturn = false;
        start = i + 1; // the second half of a CRLF, maybe from the chunk before
      } else {
        afterCarriageReturn = b == '\r';
        if (b == '\n' || b == '\r') {
          endLine(bytes, start, i - start);
          start = i + 1;
        }
      }
    }
    keep(bytes, start, bytes.length - start);
  }

  /**
   * Ends the stream. The event that was not closed by a blank line is not given to the sink: it may
   * be cut off, and only who knows the format can tell.
   *
   * @return that event, or null
   */
  public @Nullable SseEvent end() {
    if (partialBytes > 0) {
      endLine(partial, 0, 0);
    }
    return pending();
  }

  private void keep(byte[] bytes, int from, int count) {
    checkLine(count);
    int needed = partialBytes + count;
    if (needed > partial.length) {
      partial = Arrays.copyOf(partial, Math.max(needed, Math.min(maxLineBytes, needed * 2)));
    }
    System.arraycopy(bytes, from, partial, partialBytes, count);
    partialBytes = needed;
  }

  private void endLine(byte[] bytes, int from, int count) {
    if (partialBytes == 0) {
      checkLine(count);
      line(new String(bytes, from, count, StandardCharsets.UTF_8));
      return;
    }
    keep(bytes, from, count);
    int length = partialBytes;
    partialBytes = 0;
    line(new String(partial, 0, length, StandardCharsets.UTF_8));
    if (partial.length > FIRST_LINE_BYTES * 64) {
      partial = new byte[FIRST_LINE_BYTES]; // one long line must not cost the whole stream
    }
  }

  private void checkLine(int more) {
    if (more > maxLineBytes - partialBytes) {
      throw ProviderFailure.error(Kind.PROTOCOL, "line over " + maxLineBytes + " bytes");
    }
  }

  private void line(String raw) {
    String line = firstLine && raw.startsWith("\uFEFF") ? raw.substring(1) : raw;
    firstLine = false;
    if (line.isEmpty()) {
      dispatch();
      return;
    }
    int colon = line.indexOf(':');
    String field = colon < 0 ? line : line.substring(0, colon);
    int value = colon < 0 ? line.length() : colon + 1;
    if (value < line.length() && line.charAt(value) == ' ') {
      value++;
    }
    switch (field) {
      case "data" -> append(line, value);
      case "event" -> type = line.substring(value);
      case "", "id", "retry" -> {} // a comment, or of no use without reconnecting
      default -> sink.stray(line);
    }
  }

  private void append(String line, int from) {
    eventBytes += line.length() - from + 1;
    if (eventBytes > maxEventBytes) {
      throw ProviderFailure.error(Kind.PROTOCOL, "event over " + maxEventBytes + " bytes");
    }
    if (hasData) {
      data.append('\n');
    }
    data.append(line, from, line.length());
    hasData = true;
  }

  private void dispatch() {
    SseEvent event = pending();
    if (event != null) {
      sink.event(event);
    }
  }

  private @Nullable SseEvent pending() {
    SseEvent event = data.isEmpty() ? null : new SseEvent(type, data.toString());
    data.setLength(0);
    hasData = false;
    eventBytes = 0;
    type = "";
    return event;
  }
}
