package dev.askgateway.provider.chaos.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.function.Predicate;

/** Makes bytes that show a fault as few as it can while they still show it. */
final class Smallest {
  private Smallest() {}

  static byte[] of(byte[] bytes, Predicate<byte[]> shows) {
    byte[] now = bytes;
    for (int size = now.length; size >= 1; size = Math.min(size / 2, now.length)) {
      int at = 0;
      while (at < now.length) {
        byte[] fewer = without(now, at, size);
        if (shows.test(fewer)) {
          now = fewer;
        } else {
          at += size;
        }
      }
    }
    return now;
  }

  private static byte[] without(byte[] bytes, int at, int size) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    kept.write(bytes, 0, at);
    int from = Math.min(bytes.length, at + size);
    kept.write(bytes, from, bytes.length - from);
    return kept.toByteArray();
  }
}
