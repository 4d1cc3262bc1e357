package dev.askgateway.provider.chaos.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What is done to a stream's bytes, one damage after the other, and told in words. */
final class Mutation {
  private static final List<String> VALUES = List.of(
      "null",
      "[]",
      "{}",
      "\"\"",
      "-1",
      "1e999",
      "99999999999999999999",
      "0.5",
      "true",
      "\"\\ud800\"",
      "\"\\u0000\"",
      "[null]",
      "[[[[[[[[]]]]]]]]",
      "[".repeat(1_200),
      "\"x\"",
      "{\"text\":7}",
      "[{}]",
      "7");

  private static final List<byte[]> STRAY = List.of(
      new byte[] {0},
      new byte[] {(byte) 0xC3},
      new byte[] {(byte) 0xF0, (byte) 0x9F, (byte) 0x98},
      new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
      new byte[] {(byte) 0xFF, (byte) 0xFE},
      bytes("\n"),
      bytes("\r"),
      bytes("\n\n"),
      bytes(":\n"),
      bytes("data"),
      bytes("data: [DONE]\n\n"),
      bytes("data: {\"error\":{\"code\":429}}\n\n"),
      bytes("{\"error\":\"no\"}\n"),
      bytes("event: error\n"),
      bytes("HTTP/1.1 200 OK\r\n\r\n"),
      bytes("data: {}\n\n"),
      bytes("data: []\n\n"),
      bytes("data: null\n\n"));

  private final Random random;
  private final byte[] other;
  private final List<String> told = new ArrayList<>();
  private boolean onlyCut = true;

  /** @param other another stream, for what is spliced in */
  Mutation(Random random, byte[] other) {
    this.random = random;
    this.other = other;
  }

  List<String> told() {
    return told;
  }

  /** Whether nothing was changed but the end: what is left is a beginning. */
  boolean onlyCut() {
    return onlyCut;
  }

  byte[] apply(byte[] bytes, int times) {
    byte[] now = bytes;
    for (int i = 0; i < times && now.length > 0; i++) {
      now = once(now);
    }
    return now;
  }

  private byte[] once(byte[] bytes) {
    int kind = random.nextInt(12);
    onlyCut &= kind == 0;
    return switch (kind) {
      case 0 -> cut(bytes);
      case 1 -> splice(bytes);
      case 2 -> swap(bytes);
      case 3 -> flip(bytes);
      case 4 -> blocks(bytes, "\n", "line");
      case 5, 6 -> blocks(bytes, "\n\n", "event");
      case 7, 8 -> value(bytes);
      case 9 -> insert(bytes, "stray bytes", STRAY.get(random.nextInt(STRAY.size())));
      case 10 -> insert(bytes, "noise", noise());
      default -> range(bytes);
    };
  }

  private byte[] cut(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    told.add("cut at " + at);
    return Arrays.copyOf(bytes, at);
  }

  private byte[] splice(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    int from = random.nextInt(other.length + 1);
    told.add("cut at " + at + ", then another from " + from);
    return join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(other, from, other.length));
  }

  private byte[] swap(byte[] bytes) {
    byte[] now = bytes.clone();
    int i = random.nextInt(now.length);
    int j = random.nextInt(now.length);
    told.add("bytes " + i + " and " + j + " swapped");
    byte kept = now[i];
    now[i] = now[j];
    now[j] = kept;
    return now;
  }

  private byte[] flip(byte[] bytes) {
    byte[] now = bytes.clone();
    int i = random.nextInt(now.length);
    int bit = random.nextInt(8);
    told.add("bit " + bit + " of byte " + i + " flipped");
    now[i] ^= (byte) (1 << bit);
    return now;
  }

  /** Repeats, moves, drops or swaps lines or events. */
  private byte[] blocks(byte[] bytes, String end, String name) {
    List<String> blocks = new ArrayList<>(
        List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("(?<=" + end + ")")));
    int i = random.nextInt(blocks.size());
    int j = random.nextInt(blocks.size());
    switch (random.nextInt(4)) {
      case 0 -> {
        blocks.add(j, blocks.get(i));
        told.add(name + " " + i + " again at " + j);
      }
      case 1 -> {
        blocks.remove(i);
        told.add(name + " " + i + " dropped");
      }
      case 2 -> {
        Collections.swap(blocks, i, j);
        told.add(name + "s " + i + " and " + j + " swapped");
      }
      default -> {
        int times = 1 + random.nextInt(20);
        String block = blocks.get(i);
        blocks.set(i, block.repeat(times));
        told.add(name + " " + i + " " + times + " times");
      }
    }
    return String.join("", blocks).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Puts another value in the place of one of the JSON. */
  private byte[] value(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int colon = text.indexOf("\":", random.nextInt(text.length()));
    if (colon < 0) {
      return flip(bytes);
    }
    String value = VALUES.get(random.nextInt(VALUES.size()));
    int from = colon + 2;
    int to = random.nextBoolean() ? end(text, from) : from;
    told.add("value at " + from + " to " + to + " is "
        + value.substring(0, Math.min(40, value.length())));
    return (text.substring(0, from) + value + text.substring(to))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Where the value that starts here ends, brackets and quotes counted. */
  private static int end(String text, int from) {
    int depth = 0;
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        i += c == '\\' ? 1 : 0;
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      }
      if (depth < 0 || (depth == 0 && !quoted && c == ',')) {
        return i;
      }
    }
    return text.length();
  }

  private byte[] noise() {
    byte[] noise = new byte[random.nextInt(50) == 0 ? 20_000 : 1 + random.nextInt(40)];
    if (random.nextBoolean()) {
      random.nextBytes(noise);
    } else {
      Arrays.fill(noise, (byte) "x\0\n[".charAt(random.nextInt(4)));
    }
    return noise;
  }

  private byte[] insert(byte[] bytes, String what, byte[] inserted) {
    int at = random.nextInt(bytes.length + 1);
    told.add(what + ", " + inserted.length + ", at " + at);
    return join(Arrays.copyOf(bytes, at), inserted, Arrays.copyOfRange(bytes, at, bytes.length));
  }

  private byte[] range(byte[] bytes) {
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(60));
    byte[] before = Arrays.copyOf(bytes, from);
    if (random.nextBoolean()) {
      told.add("bytes " + from + " to " + to + " dropped");
      return join(before, Arrays.copyOfRange(bytes, to, bytes.length));
    }
    told.add("bytes " + from + " to " + to + " twice");
    return join(
        Arrays.copyOf(bytes, to),
        Arrays.copyOfRange(bytes, from, to),
        Arrays.copyOfRange(bytes, to, bytes.length));
  }

  private static byte[] join(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
