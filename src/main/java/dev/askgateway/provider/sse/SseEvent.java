package dev.askgateway.provider.sse;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One event of a stream, as the bytes it came in: most readers parse them, and few need a String. The
 * bytes are never written to again, so an event may be kept.
 */
public final class SseEvent {
  /** Times its own length that an event's JSON may keep alive. */
  private static final int MOST_KEPT = 4;

  private final String type;
  private final byte[] array;
  private final int from;
  private final int length;
  private final boolean oneLine;

  /**
   * An event of text.
   *
   * @param type the {@code event:} field, "" without one
   * @param data the data lines joined by newlines, not empty
   */
  public SseEvent(String type, String data) {
    this(type, data.getBytes(StandardCharsets.UTF_8), data.indexOf('\n') < 0);
  }

  private SseEvent(String type, byte[] data, boolean oneLine) {
    this(type, data, 0, data.length, oneLine);
  }

  /** An event in a piece of an array that is the event's from here on. */
  SseEvent(String type, byte[] array, int from, int length, boolean oneLine) {
    this.type = type;
    this.array = array;
    this.from = from;
    this.length = length;
    this.oneLine = oneLine;
  }

  public String type() {
    return type;
  }

  /** The data as text, decoded anew by each call; what is no UTF-8 becomes U+FFFD. */
  public String data() {
    return new String(array, from, length, StandardCharsets.UTF_8);
  }

  /** The array with the data, at {@link #from}, {@link #length} long. Only to be read. */
  public byte[] array() {
    return array;
  }

  public int from() {
    return from;
  }

  public int length() {
    return length;
  }

  /** Where the data begins without the blanks before it, in the array. */
  public int visibleFrom() {
    int at = from;
    while (at < from + length && isBlank(array[at])) {
      at++;
    }
    return at;
  }

  /** Where it ends without the blanks behind it. */
  public int visibleTo() {
    int at = from + length;
    while (at > from && isBlank(array[at - 1])) {
      at--;
    }
    return at;
  }

  /** White space as JSON has it. */
  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }

  /**
   * The data on one line, line breaks as blanks: the same JSON, and fit to be one data line again.
   * Only to be read. A copy where it would keep a much larger piece of the network's alive.
   */
  public Buffer json() {
    if (oneLine && length >= array.length / MOST_KEPT) {
      return BufferInternal.buffer(Unpooled.wrappedBuffer(array, from, length));
    }
    Buffer json = Buffer.buffer(length).appendBytes(array, from, length);
    if (!oneLine) {
      for (int i = 0; i < length; i++) {
        if (json.getByte(i) == '\n') {
          json.setByte(i, (byte) ' ');
        }
      }
    }
    return json;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SseEvent event
        && type.equals(event.type)
        && Arrays.equals(
            array, from, from + length, event.array, event.from, event.from + event.length);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + data().hashCode();
  }

  @Override
  public String toString() {
    return "SseEvent[type=" + type.length() + " characters, data=" + length + " bytes]";
  }
}
