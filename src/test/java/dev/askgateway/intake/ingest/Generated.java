package dev.askgateway.intake.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.util.function.IntFunction;

/** A body made while it is read, so that a test does not hold it either. */
final class Generated extends InputStream {
  private final IntFunction<String> part;
  private final int parts;
  private int next;
  private byte[] current = {};
  private int position;

  Generated(int parts, IntFunction<String> part) {
    this.parts = parts;
    this.part = part;
  }

  static String line(int i) {
    return "{\"platform\":\"sms\",\"chatId\":\"c" + i % 7 + "\",\"messageId\":\"m" + i
        + "\",\"at\":\"2026-11-28T19:04:11+01:00\",\"senderId\":\"s" + i % 50
        + "\",\"senderName\":\"Ana\",\"text\":\"message number " + i + "\"}";
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    while (position == current.length) {
      if (next == parts) {
        return -1;
      }
      current = part.apply(next++).getBytes(UTF_8);
      position = 0;
    }
    int count = Math.min(length, current.length - position);
    System.arraycopy(current, position, target, offset, count);
    position += count;
    return count;
  }
}
