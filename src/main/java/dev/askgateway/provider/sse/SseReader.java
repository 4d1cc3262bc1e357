package dev.askgateway.provider.sse;

import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events from bytes, however the network cut them. Lines are split as bytes (LF, CRLF, a
 * bare CR) and handed on as bytes, so no character is ever cut. A bare CR ends its line at once:
 * waiting for a line feed after it would hold the last event back.
 *
 * <p>An event of one data line that came in one piece, the usual one, is not copied: it is a part of
 * that piece. A line that was cut is joined in an array of its own.
 */
public final class SseReader {

  /** Takes what the reader finds. */
  public interface Sink {
    void event(SseEvent event);

    /** A line that is no field, comment or blank: some servers send an error as plain JSON. */
    default void stray(String line) {}
  }

  private static final int FIRST_BYTES = 512;
  private static final byte[] NOTHING = {};
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] DATA = ascii("data");
  private static final byte[] EVENT = ascii("event");
  private static final byte[] ID = ascii("id");
  private static final byte[] RETRY = ascii("retry");

  private final int maxLineBytes;
  private final int maxEventBytes;
  private final Sink sink;
  private byte[] partial = NOTHING;
  private int partialBytes;
  private byte[] data = NOTHING;
  private int dataFrom;
  private int dataTo;
  private int dataLines;
  private int eventBytes;
  private String type = "";
  private boolean afterCarriageReturn;
  private boolean firstLine = true;

  public SseReader(int maxLineBytes, int maxEventBytes, Sink sink) {
    this.maxLineBytes = maxLineBytes;
    this.maxEventBytes = maxEventBytes;
    this.sink = sink;
  }

  /**
   * Reads the next bytes, telling the sink of each event they complete. The chunk is the reader's
   * from here on, and not copied: Vert.x hands out each piece in a buffer of its own.
   *
   * @throws dev.askgateway.core.GatewayError when a line or event is over its cap; the stream is lost
   */
  public void feed(Buffer chunk) {
    ByteBuf piece = ((BufferInternal) chunk).getByteBuf();
    if (piece.hasArray()) {
      int from = piece.arrayOffset() + piece.readerIndex();
      feed(piece.array(), from, from + piece.readableBytes());
    } else {
      feed(chunk.getBytes(), 0, chunk.length());
    }
  }

  private void feed(byte[] bytes, int from, int to) {
    int start = from;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b == '\n' && afterCarriageReturn) {
        afterCarriageReturn = false;
        start = i + 1; // the second half of a CRLF, maybe from the chunk before
      } else {
        afterCarriageReturn = b == '\r';
        if (b == '\n' || b == '\r') {
          endLine(bytes, start, i);
          start = i + 1;
        }
      }
    }
    keep(bytes, start, to);
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

  private void keep(byte[] bytes, int from, int to) {
    checkLine(to - from);
    if (to > from) {
      partial = roomFor(to - from, partial, partialBytes, maxLineBytes);
      System.arraycopy(bytes, from, partial, partialBytes, to - from);
      partialBytes += to - from;
    }
  }

  /** The array, or a larger one with the same beginning: doubled, so that growing stays cheap. */
  private static byte[] roomFor(int more, byte[] array, int used, int most) {
    int needed = used + more;
    return needed <= array.length
        ? array
        : Arrays.copyOf(array, Math.max(needed, Math.min(most, Math.max(FIRST_BYTES, needed * 2))));
  }

  private void endLine(byte[] bytes, int from, int to) {
    if (partialBytes == 0) {
      checkLine(to - from);
      line(bytes, from, to);
      return;
    }
    keep(bytes, from, to);
    byte[] whole = partial; // an event may be made of it: not to be used again
    int length = partialBytes;
    partial = NOTHING;
    partialBytes = 0;
    line(whole, 0, length);
  }

  private void checkLine(int more) {
    if (more > maxLineBytes - partialBytes) {
      throw ProviderFailure.error(Kind.PROTOCOL, "line over " + maxLineBytes + " bytes");
    }
  }

  private void line(byte[] bytes, int lineFrom, int to) {
    int from = lineFrom;
    if (firstLine) {
      firstLine = false;
      boolean marked = to - from >= 3 && is(BYTE_ORDER_MARK, bytes, from, from + 3);
      from += marked ? 3 : 0;
    }
    if (from == to) {
      dispatch();
      return;
    }
    int colon = from;
    while (colon < to && bytes[colon] != ':') {
      colon++;
    }
    int value = Math.min(to, colon + 1);
    if (value < to && bytes[value] == ' ') {
      value++;
    }
    if (is(DATA, bytes, from, colon)) {
      append(bytes, value, to);
    } else if (is(EVENT, bytes, from, colon)) {
      type = text(bytes, value, to);
    } else if (colon > from && !is(ID, bytes, from, colon) && !is(RETRY, bytes, from, colon)) {
      sink.stray(text(bytes, from, to));
    } // else a comment, or of no use without reconnecting
  }

  private void append(byte[] bytes, int from, int to) {
    eventBytes += to - from + 1;
    if (eventBytes > maxEventBytes) {
      throw ProviderFailure.error(Kind.PROTOCOL, "event over " + maxEventBytes + " bytes");
    }
    dataLines++;
    if (dataLines == 1) {
      data = bytes;
      dataFrom = from;
      dataTo = to;
      return;
    }
    if (dataLines == 2) {
      data = Arrays.copyOfRange(data, dataFrom, dataTo); // ours: the first may be a part of a piece
      dataTo -= dataFrom;
      dataFrom = 0;
    }
    data = roomFor(to - from + 1, data, dataTo, maxEventBytes);
    data[dataTo] = '\n';
    System.arraycopy(bytes, from, data, dataTo + 1, to - from);
    dataTo += to - from + 1;
  }

  private void dispatch() {
    SseEvent event = pending();
    if (event != null) {
      sink.event(event);
    }
  }

  private @Nullable SseEvent pending() {
    SseEvent event = dataTo == dataFrom
        ? null
        : new SseEvent(type, data, dataFrom, dataTo - dataFrom, dataLines == 1);
    data = NOTHING;
    dataFrom = 0;
    dataTo = 0;
    dataLines = 0;
    eventBytes = 0;
    type = "";
    return event;
  }

  private static boolean is(byte[] word, byte[] bytes, int from, int to) {
    return Arrays.equals(word, 0, word.length, bytes, from, to);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }
}
