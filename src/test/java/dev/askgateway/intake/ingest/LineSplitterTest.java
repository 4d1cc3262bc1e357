package dev.askgateway.intake.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineSplitterTest {
  private static final int LIMIT = 20;

  @Test
  @DisplayName("LF, CRLF, blank lines, a byte order mark and a missing last line end")
  void lines() {
    assertThat(ndjson("\uFEFF{1}\r\n\r\n  \t\n{2}\n{\"é\"}"))
        .containsExactly("1 {1}", "4 {2}", "5 {\"é\"}");
  }

  @Test
  @DisplayName("a body without anything has no lines")
  void empty() {
    assertThat(ndjson("")).isEmpty();
    assertThat(ndjson("\uFEFF\n \r\n")).isEmpty();
    assertThat(array("")).isEmpty();
    assertThat(array(" \n")).isEmpty();
    assertThat(array(" [ ] \n")).isEmpty();
  }

  @Test
  @DisplayName("a line at the limit is read, one byte more is passed over alone")
  void limit() {
    String most = "x".repeat(LIMIT);
    assertThat(ndjson("{1}\n" + most + "\r\n" + most + "y\n{4}"))
        .containsExactly("1 {1}", "2 " + most, "3 TOO_LARGE", "4 {4}");
    assertThat(array("[1," + most + "," + most + "y,4]"))
        .containsExactly("1 1", "2 " + most, "3 TOO_LARGE", "4 4");
  }

  @Test
  @DisplayName("commas and brackets inside strings and nested values do not end an element")
  void nested() {
    assertThat(array("\uFEFF[ {\"a\":\"],\\\"}\"} ,[1,{}], \"\\\\\" ]"))
        .containsExactly("1 {\"a\":\"],\\\"}\"} ", "2 [1,{}]", "3 \"\\\\\" ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1}  | 1 BROKEN",
        "[1,{\"a\":  | 1 1;2 BROKEN",
        "[1,\"a]    | 1 1;2 BROKEN",
        "[1] x [2]  | 1 1;2 BROKEN",
        "[1         | 1 BROKEN",
        "[1,,2,]    | 1 1;2 ;3 2;4 ",
        "[,]        | 1 ;2 ",
      })
  @DisplayName("what is no array is told with the number of the element, and ends the reading")
  void broken(String body, String expected) {
    assertThat(String.join(";", array(body)).strip()).isEqualTo(expected.strip());
  }

  @Test
  @DisplayName("the same lines come out however the network cuts the bytes")
  void anyChunking() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      byte[] body = body(random);
      List<Supplier<LineSplitter>> kinds =
          List.of(() -> new NdjsonLines(LIMIT), () -> new ArrayElements(LIMIT));
      for (Supplier<LineSplitter> kind : kinds) {
        List<String> whole = read(kind.get(), List.of(body));
        assertThat(read(kind.get(), cut(body, random)))
            .as("body %s", new String(body, UTF_8))
            .isEqualTo(whole);
      }
    }
  }

  private static byte[] body(Random random) {
    String alphabet = "[]{}\",\\\r\n\n ,1aé🎂\uFEFF";
    int[] points = alphabet.codePoints().toArray();
    StringBuilder body = new StringBuilder(random.nextBoolean() ? "[" : "");
    for (int i = random.nextInt(60); i > 0; i--) {
      body.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return body.toString().getBytes(UTF_8);
  }

  private static List<byte[]> cut(byte[] body, Random random) {
    List<byte[]> chunks = new ArrayList<>();
    for (int from = 0; from < body.length; ) {
      int to = Math.min(body.length, from + random.nextInt(4));
      chunks.add(Arrays.copyOfRange(body, from, to));
      from = to;
    }
    return chunks;
  }

  private static List<String> ndjson(String body) {
    return read(new NdjsonLines(LIMIT), List.of(body.getBytes(UTF_8)));
  }

  private static List<String> array(String body) {
    return read(new ArrayElements(LIMIT), List.of(body.getBytes(UTF_8)));
  }

  private static List<String> read(LineSplitter lines, List<byte[]> chunks) {
    List<String> found = new ArrayList<>();
    for (byte[] chunk : chunks) {
      lines.feed(chunk);
      drain(lines, found);
    }
    lines.end();
    drain(lines, found);
    return found;
  }

  private static void drain(LineSplitter lines, List<String> found) {
    for (RawLine line = lines.next(); line != null; line = lines.next()) {
      found.add(line.number() + " "
          + (line.kind() == RawLine.Kind.LINE ? line.bytes().toString(UTF_8) : line.kind()));
    }
  }
}
