package dev.askgateway.provider.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseReaderTest {
  private static final String STREAM = "\uFEFF: hello\n"
      + "data: {\"t\":\"क 🙂 é\"}\n\n"
      + "event: error\ndata:tight\ndata: two\n\n"
      + ": keep-alive\n\n"
      + "data:\n\n"
      + "id: 7\nretry: 10\nunknown\ndata: [DONE]\n\n";

  private static final List<SseEvent> EVENTS = List.of(
      new SseEvent("", "{\"t\":\"क 🙂 é\"}"),
      new SseEvent("error", "tight\ntwo"),
      new SseEvent("", "[DONE]"));

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("the same events come out wherever the bytes are cut, with any line end")
  void everyCut(String lineEnd) {
    byte[] bytes = STREAM.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    for (int cut = 0; cut <= bytes.length; cut++) {
      assertThat(read(bytes, cut)).as("cut at %d", cut).isEqualTo(EVENTS);
    }
    assertThat(readByteByByte(bytes)).isEqualTo(EVENTS);
  }

  @Test
  @DisplayName("many random cuts and mixed line ends change nothing")
  void randomCuts() {
    Random random = new Random(20_26);
    String[] ends = {"\n", "\r\n", "\r"};
    for (int round = 0; round < 500; round++) {
      StringBuilder mixed = new StringBuilder();
      for (String line : STREAM.split("\n", -1)) {
        mixed.append(mixed.isEmpty() ? "" : ends[random.nextInt(3)]).append(line);
      }
      // A CR line end before an empty line that ends in LF would read as one CRLF: not our stream.
      if (mixed.toString().replace("\r\n", "\n").replace("\r", "\n").equals(STREAM)) {
        byte[] bytes = mixed.toString().getBytes(StandardCharsets.UTF_8);
        int[] cuts = random.ints(8, 0, bytes.length + 1).sorted().toArray();
        assertThat(read(bytes, cuts)).as("round %d", round).isEqualTo(EVENTS);
      }
    }
  }

  @Test
  @DisplayName("a CRLF cut in its middle is one line end (B03)")
  void cutCrLf() {
    List<SseEvent> events = new ArrayList<>();
    SseReader reader = reader(events);
    for (String part : List.of("data: {\"a\":\r", "\ndata: 1}\r", "\n\r\n")) {
      reader.feed(Buffer.buffer(part));
    }
    assertThat(events).containsExactly(new SseEvent("", "{\"a\":\n1}"));
  }

  @Test
  @DisplayName("an event's bytes are its data, and its JSON stands on one line, however it was cut")
  void bytes() {
    String stream = "data: é\n\ndata: {\"a\":\ndata: 1}\ndata:\n\n";
    byte[] body = stream.getBytes(StandardCharsets.UTF_8);
    for (int cut = 0; cut <= body.length; cut++) {
      List<SseEvent> events = read(body, cut);
      assertThat(events).extracting(SseEvent::data).containsExactly("é", "{\"a\":\n1}\n");
      assertThat(events)
          .extracting(event -> event.json().toString())
          .containsExactly("é", "{\"a\": 1} ");
      assertThat(events)
          .extracting(event ->
              new String(event.array(), event.from(), event.length(), StandardCharsets.UTF_8))
          .containsExactly("é", "{\"a\":\n1}\n");
    }
  }

  @Test
  @DisplayName("events that are kept do not change when the stream goes on")
  void eventsAreKept() {
    List<SseEvent> events = new ArrayList<>();
    SseReader reader = new SseReader(1_000, 1_000, events::add);
    Random random = new Random(3);
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      written.add("a".repeat(1 + random.nextInt(90)) + i);
      Buffer bytes = Buffer.buffer("data: " + written.get(i) + "\n\n");
      int cut = random.nextInt(bytes.length());
      reader.feed(bytes.getBuffer(0, cut));
      reader.feed(bytes.getBuffer(cut, bytes.length()));
    }
    assertThat(events).extracting(SseEvent::data).isEqualTo(written);
  }

  @Test
  @DisplayName("a bare CR dispatches at once, without the byte after it")
  void bareCrAtOnce() {
    List<SseEvent> events = new ArrayList<>();
    reader(events).feed(Buffer.buffer("data: hi\r\r"));
    assertThat(events).containsExactly(new SseEvent("", "hi"));
  }

  @Test
  @DisplayName("an event without its blank line is handed out apart at the end (B123)")
  void unterminated() {
    List<SseEvent> events = new ArrayList<>();
    SseReader reader = reader(events);
    reader.feed(Buffer.buffer("data: one\n\nevent: x\ndata: tw"));
    assertThat(events).containsExactly(new SseEvent("", "one"));
    assertThat(reader.end()).isEqualTo(new SseEvent("x", "tw"));
    assertThat(reader.end()).isNull();
  }

  @Test
  @DisplayName("the event type does not leak into the next event")
  void typeIsPerEvent() {
    assertThat(read("event: a\n\ndata: x\n\n".getBytes(StandardCharsets.UTF_8)))
        .containsExactly(new SseEvent("", "x"));
  }

  @Test
  @DisplayName("lines that are no field are told apart from events")
  void strayLines() {
    List<String> strays = new ArrayList<>();
    SseReader reader = new SseReader(1_000, 1_000, new SseReader.Sink() {
      @Override
      public void event(SseEvent event) {
        strays.add("event");
      }

      @Override
      public void stray(String line) {
        strays.add(line);
      }
    });
    reader.feed(Buffer.buffer("{\"error\":\"a: b\"}\n\n<html>"));
    assertThat(reader.end()).isNull();
    assertThat(strays).containsExactly("{\"error\":\"a: b\"}", "<html>");
  }

  @Test
  @DisplayName(
      "a line may be exactly as long as its cap and no byte longer, in one piece or many (B09)")
  void lineCap() {
    String fits = "data: " + "a".repeat(94);
    assertThat(read((fits + "\n\n").getBytes(StandardCharsets.UTF_8), 40)).hasSize(1);
    byte[] tooLong = (fits + "a\n\n").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(tooLong)).isInstanceOf(GatewayError.class);
    assertThatThrownBy(() -> read(tooLong, 40, 60)).isInstanceOf(GatewayError.class);
  }

  @Test
  @DisplayName("an endless line fails at the cap instead of filling the memory")
  void endlessLine() {
    SseReader reader = new SseReader(1_000, 1_000, event -> {});
    reader.feed(Buffer.buffer("data: " + "a".repeat(900)));
    assertThatThrownBy(() -> reader.feed(Buffer.buffer("a".repeat(900))))
        .isInstanceOfSatisfying(GatewayError.class, error -> {
          assertThat(error.code()).isEqualTo(GatewayError.Code.PROVIDER_FAILED);
          assertThat(error.message()).doesNotContain("aaa");
        });
  }

  @Test
  @DisplayName("an event of endlessly many lines fails at its cap")
  void endlessEvent() {
    SseReader reader = new SseReader(1_000, 1_000, event -> {});
    assertThatThrownBy(() -> {
          for (int i = 0; i < 300; i++) {
            reader.feed(Buffer.buffer("data: abc\n"));
          }
        })
        .isInstanceOf(GatewayError.class);
  }

  private static SseReader reader(List<SseEvent> events) {
    return new SseReader(100, 1_000, events::add);
  }

  private static List<SseEvent> read(byte[] bytes, int... cuts) {
    List<SseEvent> events = new ArrayList<>();
    SseReader reader = reader(events);
    int from = 0;
    for (int cut : cuts) {
      reader.feed(Buffer.buffer(bytes).getBuffer(from, cut));
      from = cut;
    }
    reader.feed(Buffer.buffer(bytes).getBuffer(from, bytes.length));
    assertThat(reader.end()).isNull();
    return events;
  }

  private static List<SseEvent> readByteByByte(byte[] bytes) {
    int[] cuts = java.util.stream.IntStream.range(0, bytes.length).toArray();
    return read(bytes, cuts);
  }
}
