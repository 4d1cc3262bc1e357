package dev.askgateway.relay.edge;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Writes text as the inside of a JSON string, UTF-8, without making a string of it first. */
final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  /** The longest that one pair of surrogates or one escape becomes. */
  private static final int MOST_BYTES = 6;

  /** Small: each stream has one, and a delta is short. */
  private static final int BYTES = 256;

  private final byte[] bytes = new byte[BYTES];
  private int length;

  /** Appends the text, escaped; half a surrogate pair becomes U+FFFD. */
  void append(String text, Buffer out) {
    length = 0;
    for (int i = 0; i < text.length(); i++) {
      if (length > bytes.length - MOST_BYTES) {
        out.appendBytes(bytes, 0, length);
        length = 0;
      }
      char c = text.charAt(i);
      if (c < 0x80) {
        ascii(c);
      } else if (!Character.isSurrogate(c)) {
        wide(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        wide(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        wide('\uFFFD');
      }
    }
    out.appendBytes(bytes, 0, length);
  }

  private void ascii(char c) {
    if (c == '"' || c == '\\') {
      put('\\');
      put(c);
    } else if (c >= 0x20) {
      put(c);
    } else {
      control(c);
    }
  }

  private void control(char c) {
    put('\\');
    switch (c) {
      case '\n' -> put('n');
      case '\t' -> put('t');
      case '\r' -> put('r');
      default -> {
        put('u');
        put('0');
        put('0');
        put(HEX[c >> 4]);
        put(HEX[c & 0xf]);
      }
    }
  }

  private void wide(int c) {
    if (c < 0x800) {
      put(0xc0 | c >> 6);
    } else if (c < 0x10000) {
      put(0xe0 | c >> 12);
      put(0x80 | (c >> 6 & 0x3f));
    } else {
      put(0xf0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3f));
      put(0x80 | (c >> 6 & 0x3f));
    }
    put(0x80 | (c & 0x3f));
  }

  private void put(int value) {
    bytes[length++] = (byte) value;
  }
}
