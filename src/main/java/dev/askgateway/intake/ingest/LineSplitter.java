package dev.askgateway.intake.ingest;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a body into lines, on bytes, however the network cut it before. It is pulled: a chunk is fed
 * only when {@link #next} has nothing more, so it holds one chunk and one line at most.
 */
abstract class LineSplitter {
  private static final byte[] NOTHING = {};
  private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final int maxLineBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private boolean tooLarge;
  private int bomSeen;
  private boolean ended;
  private byte[] chunk = NOTHING;
  private int position;

  LineSplitter(int maxLineBytes) {
    this.maxLineBytes = maxLineBytes;
  }

  /** Takes the next bytes of the body. Only after {@link #next} returned null. */
  final void feed(byte[] bytes) {
    chunk = bytes;
    position = 0;
    while (bomSeen < BOM.length && position < chunk.length) {
      if (chunk[position] != BOM[bomSeen]) {
        notABom();
        return;
      }
      bomSeen++;
      position++;
    }
  }

  /** Only the beginning of a mark was there, perhaps chunks ago: it was text after all. */
  private void notABom() {
    int rest = chunk.length - position;
    byte[] whole = Arrays.copyOf(BOM, bomSeen + rest);
    System.arraycopy(chunk, position, whole, bomSeen, rest);
    chunk = whole;
    position = 0;
    bomSeen = BOM.length;
  }

  /** Says that the body is complete. Only after {@link #next} returned null. */
  final void end() {
    ended = true;
    chunk = NOTHING;
    position = 0;
  }

  /** The next line, or null when more bytes are needed or, after {@link #end}, when there is none. */
  final @Nullable RawLine next() {
    RawLine found = scan(chunk, position);
    if (found == null && ended) {
      found = last();
    }
    return found;
  }

  /** Reads from {@code from} on and returns at the first line found; says how far through {@link #readTo}. */
  abstract @Nullable RawLine scan(byte[] bytes, int from);

  /** What is left when the body has ended: at most one line, then null. */
  abstract @Nullable RawLine last();

  final void readTo(int next) {
    position = next;
  }

  final void keep(byte[] bytes, int from, int to) {
    if (tooLarge || to <= from) {
      return;
    }
    if (line.size() + (to - from) > maxLineBytes) {
      tooLarge = true;
      line.reset();
    } else {
      line.write(bytes, from, to - from);
    }
  }

  final boolean keptNothing() {
    return line.size() == 0 && !tooLarge;
  }

  /** The line kept so far, which is then forgotten. */
  final RawLine take(int number) {
    RawLine taken = tooLarge ? RawLine.tooLarge(number) : RawLine.of(number, line.toByteArray());
    tooLarge = false;
    line.reset();
    return taken;
  }

  static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }
}
