package dev.askgateway.provider.gemini;

import static dev.askgateway.core.FinishReason.CONTENT_FILTER;
import static dev.askgateway.core.FinishReason.LENGTH;
import static dev.askgateway.core.FinishReason.STOP;
import static dev.askgateway.core.FinishReason.TOOL_CALLS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.Finished;
import dev.askgateway.core.TokenEvent.Metered;
import dev.askgateway.core.TokenEvent.Reasoning;
import dev.askgateway.core.TokenEvent.Text;
import dev.askgateway.core.TokenEvent.ToolCall;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.sse.SseEvent;
import dev.askgateway.provider.sse.SseReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeminiDialectTest {
  private static String data(String json) {
    return "data: " + json + "\r\n\r\n";
  }

  private static String parts(String parts) {
    return data("{\"candidates\":[{\"content\":{\"parts\":[" + parts
        + "],\"role\":\"model\"},\"index\":0}],\"responseId\":\"r-1\"}");
  }

  private static String text(String text) {
    return parts("{\"text\":\"" + text + "\"}");
  }

  private static String reason(String reason) {
    return data("{\"candidates\":[{\"finishReason\":\"" + reason + "\"}]}");
  }

  private static String call(String functionCall) {
    return parts("{\"functionCall\":" + functionCall + "}");
  }

  private static Transcript read(byte[] body, int... cuts) {
    return read(new GeminiDialect(), body, cuts);
  }

  /** What the dialect makes of a whole body, fed in pieces cut at these bytes. */
  private static Transcript read(GeminiDialect dialect, byte[] body, int... cuts) {
    List<TokenEvent> events = new ArrayList<>();
    SseReader reader = new SseReader(1 << 16, 1 << 16, new SseReader.Sink() {
      @Override
      public void event(SseEvent event) {
        dialect.event(event, events::add);
      }

      @Override
      public void stray(String line) {
        dialect.stray(line, events::add);
      }
    });
    try {
      int from = 0;
      for (int cut : cuts) {
        reader.feed(Buffer.buffer(body).getBuffer(from, cut));
        from = cut;
      }
      reader.feed(Buffer.buffer(body).getBuffer(from, body.length));
      dialect.end(reader.end(), events::add);
      return new Transcript(events, null);
    } catch (GatewayError error) {
      return new Transcript(events, error);
    }
  }

  private static Transcript read(String body) {
    return read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertFailed(Transcript transcript, Kind kind) {
    assertThat(transcript.failure()).isNotNull();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(kind);
    assertThat(transcript.reasons()).isEmpty();
  }

  /** Whether a stream that said this so far may be taken as over. */
  private static boolean finishing(String body) {
    GeminiDialect dialect = new GeminiDialect();
    SseReader reader =
        new SseReader(1 << 16, 1 << 16, event -> dialect.event(event, ignored -> {}));
    reader.feed(Buffer.buffer(body));
    assertThat(dialect.done()).isFalse();
    return dialect.finishing();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("a recorded stream cut at every byte, and often at random, says the same")
  void everyCut(String lineEnd) {
    String recorded = data("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"é क 🙂 \"}],"
            + "\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":9,"
            + "\"totalTokenCount\":9,\"promptTokensDetails\":[{\"modality\":\"TEXT\","
            + "\"tokenCount\":9}]},\"modelVersion\":\"gemini-2.5-flash\",\"responseId\":\"r-1\"}")
        + text("\\ud83d\\ude42 done")
        + data("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\".\"}],\"role\":\"model\"},"
            + "\"finishReason\":\"STOP\",\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":9,"
            + "\"candidatesTokenCount\":4,\"totalTokenCount\":13}}");
    byte[] bytes = recorded.replace("\r\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    Transcript whole = read(bytes);
    assertThat(whole.failure()).isNull();
    assertThat(whole.text()).isEqualTo("é क 🙂 🙂 done.");
    assertThat(whole.usage()).isEqualTo(new Usage(9, 0, 0, 4, 0, false));
    assertThat(whole.reasons()).containsExactly(STOP);
    for (int cut = 0; cut <= bytes.length; cut++) {
      assertThat(read(bytes, cut)).as("cut at %d", cut).isEqualTo(whole);
    }
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      int[] cuts = random.ints(12, 0, bytes.length + 1).sorted().toArray();
      assertThat(read(bytes, cuts)).as("round %d", round).isEqualTo(whole);
    }
  }

  @Test
  @DisplayName("an empty first frame that says STOP does not end the answer (B43)")
  void emptyStop() {
    String empty =
        data("{\"candidates\":[{\"content\":{\"parts\":[]},\"finishReason\":\"STOP\"}]}");
    assertThat(
            read(empty + empty + text("Late") + text(" text") + reason("STOP")).events())
        .containsExactly(new Text("Late"), new Text(" text"), new Finished(STOP));
    assertThat(read(empty).reasons()).containsExactly(STOP);
    assertThat(finishing(empty + empty)).isFalse();
    assertThat(finishing(empty + text("Late"))).isTrue();
    assertThat(finishing(text("Hi"))).isFalse();
    assertThat(finishing(call("{\"name\":\"f\"}") + reason("STOP"))).isTrue();
    assertThat(finishing(reason("SAFETY"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RECITATION", "SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
  @DisplayName("the text of the chunk that was stopped comes before its reason (B45)")
  void textBeforeReason(String reason) {
    Transcript transcript = read(text("a")
        + text("b")
        + text("c")
        + data("{\"candidates\":[{\"finishReason\":\"" + reason
            + "\",\"content\":{\"parts\":[{\"text\":\" and so\"}]}}]}"));
    assertThat(transcript.text()).isEqualTo("abc and so");
    assertThat(transcript.reasons()).containsExactly(CONTENT_FILTER);
  }

  @Test
  @DisplayName("a stop for safety may come without content or without parts")
  void safetyWithoutContent() {
    assertThat(read(text("a") + reason("SAFETY")).events())
        .containsExactly(new Text("a"), new Finished(CONTENT_FILTER));
    assertThat(read(text("a")
                + data("{\"candidates\":[{\"content\":{},\"finishReason\":\"IMAGE_SAFETY\"}]}"))
            .events())
        .containsExactly(new Text("a"), new Finished(CONTENT_FILTER));
  }

  @Test
  @DisplayName("a blocked prompt is an answer without text that says so; unspecified is no block")
  void blockedPrompt() {
    String blocked = data("{\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"},"
        + "\"usageMetadata\":{\"promptTokenCount\":9,\"totalTokenCount\":9}}");
    assertThat(read(blocked).events())
        .containsExactly(
            new Metered(new Usage(9, 0, 0, 0, 0, false)), new Finished(CONTENT_FILTER));
    assertThat(finishing(blocked)).isTrue();
    String unspecified =
        data("{\"promptFeedback\":{\"blockReason\":\"BLOCK_REASON_UNSPECIFIED\"}}");
    assertFailed(read(unspecified), Kind.TRUNCATED);
    assertThat(read(unspecified + text("a") + reason("STOP")).reasons()).containsExactly(STOP);
  }

  @ParameterizedTest
  @CsvSource({
    "STOP, STOP",
    "MAX_TOKENS, LENGTH",
    "CONTINUATION, LENGTH",
    "MALFORMED_FUNCTION_CALL, ERROR",
    "LANGUAGE, OTHER",
    "SOMETHING_NEW, OTHER"
  })
  @DisplayName("every reason has one of ours, unknown ones too")
  void reasons(String wire, FinishReason ours) {
    assertThat(read(text("a") + reason(wire)).reasons()).containsExactly(ours);
  }

  @Test
  @DisplayName("without a reason, or with one that says nothing, the answer is cut off")
  void truncated() {
    assertFailed(read(text("a")), Kind.TRUNCATED);
    assertFailed(read(text("a") + reason("FINISH_REASON_UNSPECIFIED")), Kind.TRUNCATED);
    assertFailed(read(""), Kind.TRUNCATED);
    assertFailed(read("<html>busy</html>"), Kind.TRUNCATED);
  }

  @Test
  @DisplayName("a last event without its blank line counts if it is whole")
  void noBlankLine() {
    String last = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},"
        + "\"finishReason\":\"STOP\"}]}";
    Transcript whole = read(text("a") + last + "\n");
    assertThat(whole.text()).isEqualTo("ab");
    assertThat(whole.reasons()).containsExactly(STOP);
    assertFailed(read(text("a") + last.substring(0, last.length() - 1) + "\n"), Kind.TRUNCATED);
  }

  @Test
  @DisplayName("thoughts are reasoning, parts keep their order, unknown parts are skipped")
  void parts() {
    Transcript transcript = read(parts("{\"text\":\"Hm.\",\"thought\":true},"
            + "{\"text\":\"Yes\"},{\"executableCode\":{\"code\":\"x\"}},"
            + "{\"functionCall\":{\"name\":\"look\",\"args\":{\"q\":1}},"
            + "\"thoughtSignature\":\"c2ln\"},{\"text\":\"!\"},7")
        + parts("{\"text\":\"\",\"thoughtSignature\":\"ZW5k\"}")
        + reason("STOP"));
    assertThat(transcript.events())
        .containsExactly(
            new Reasoning("Hm."),
            new Text("Yes"),
            new ToolCall(0, "gcall_r-1_0", "look", "{\"q\":1}", "c2ln"),
            new Text("!"),
            new Finished(TOOL_CALLS));
  }

  @Test
  @DisplayName("other candidates than the first are nobody's answer")
  void otherCandidates() {
    assertThat(read(data("{\"candidates\":[{\"index\":1,\"content\":{\"parts\":[{\"text\":\"x\"}]},"
                    + "\"finishReason\":\"SAFETY\"},"
                    + "{\"index\":0,\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}")
                + reason("STOP"))
            .events())
        .containsExactly(new Text("a"), new Finished(STOP));
  }

  @Test
  @DisplayName("calls come whole, with their own id or a made one, absent arguments are none")
  void calls() {
    String two = call("{\"name\":\"a\"}") + call("{\"id\":\"x9\",\"name\":\"b\",\"args\":{}}");
    assertThat(read(two + reason("STOP")).events())
        .containsExactly(
            new ToolCall(0, "gcall_r-1_0", "a", "{}", ""),
            new ToolCall(1, "x9", "b", "{}", ""),
            new Finished(TOOL_CALLS));
    assertThat(read(data("{\"responseId\":\"" + "é/".repeat(30)
                + "\",\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
                + "{\"name\":\"a\"}}]},\"finishReason\":\"STOP\"}]}"))
            .events())
        .first()
        .isEqualTo(new ToolCall(0, "gcall_0", "a", "{}", ""));
  }

  @Test
  @DisplayName("the token limit is told even when a call was made (B51)")
  void lengthAfterCall() {
    assertThat(read(call("{\"name\":\"a\",\"args\":{\"q\":\"x\"}}") + reason("MAX_TOKENS"))
            .reasons())
        .containsExactly(LENGTH);
  }

  @Test
  @DisplayName("arguments that are streamed by path are told as a whole")
  void streamedCall() {
    String streamed = call("{\"name\":\"light\",\"id\":\"i\",\"willContinue\":true}")
        + call("{\"partialArgs\":[{\"jsonPath\":\"$.on\",\"boolValue\":true},"
            + "{\"jsonPath\":\"$.level\",\"numberValue\":50}],\"willContinue\":true}")
        + call("{\"partialArgs\":[{\"jsonPath\":\"$.rooms[0].name\",\"stringValue\":\"ki\","
            + "\"willContinue\":true}],\"willContinue\":true}")
        + call("{\"partialArgs\":[{\"jsonPath\":\"$.rooms[0].name\",\"stringValue\":\"tchen\"}],"
            + "\"willContinue\":true}")
        + call("{\"partialArgs\":[{\"jsonPath\":\"$['a b'][\\\"c.d\\\"]\","
            + "\"nullValue\":\"NULL_VALUE\"}]}");
    String next = call("{\"name\":\"next\"}");
    for (String ending : List.of(call("{}"), "", next)) {
      Transcript transcript = read(streamed + ending + reason("STOP"));
      assertThat(transcript.failure()).isNull();
      assertThat(transcript.reasons()).containsExactly(TOOL_CALLS);
      ToolCall call = (ToolCall) transcript.events().get(0);
      assertThat(call.id() + " " + call.name()).isEqualTo("i light");
      assertThat(new JsonObject(call.arguments()))
          .isEqualTo(new JsonObject("{\"on\":true,\"level\":50,\"rooms\":[{\"name\":\"kitchen\"}],"
              + "\"a b\":{\"c.d\":null}}"));
      assertThat(transcript.events()).hasSize(ending.equals(next) ? 3 : 2);
    }
    assertThat(read(streamed + reason("MAX_TOKENS")).events())
        .containsExactly(new Finished(LENGTH));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "$",
        "$..a",
        "$.a[x]",
        "$.a[9999999]",
        "$.a b[",
        "$.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"
      })
  @DisplayName("a path that cannot be followed loses the answer, not the process")
  void badPath(String path) {
    assertFailed(
        read(call("{\"name\":\"a\",\"partialArgs\":[{\"jsonPath\":\"" + path
            + "\",\"stringValue\":\"x\"}]}")),
        Kind.PROTOCOL);
  }

  @Test
  @DisplayName("streamed arguments are bounded")
  void streamedBound() {
    String piece = call("{\"partialArgs\":[{\"jsonPath\":\"$.a\",\"stringValue\":\""
        + "x".repeat(16 << 10) + "\"}],\"willContinue\":true}");
    String begin = call("{\"name\":\"a\",\"willContinue\":true}");
    assertThat(read(begin + piece.repeat(16) + reason("STOP")).failure()).isNull();
    assertFailed(read(begin + piece.repeat(17) + reason("STOP")), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("of usage the last report counts; thinking is output, the cached part is told apart")
  void usage() {
    Transcript transcript =
        read(data("{\"usageMetadata\":{\"promptTokenCount\":100,\"totalTokenCount\":100}}")
            + text("a")
            + data("{\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{"
                + "\"promptTokenCount\":100,\"cachedContentTokenCount\":60,"
                + "\"toolUsePromptTokenCount\":7,\"candidatesTokenCount\":5,"
                + "\"thoughtsTokenCount\":11,\"totalTokenCount\":123}}")
            + data("{\"usageMetadata\":{\"promptTokenCount\":100}}"));
    assertThat(transcript.events())
        .filteredOn(Metered.class::isInstance)
        .containsExactly(
            new Metered(new Usage(100, 0, 0, 0, 0, false)),
            new Metered(new Usage(47, 60, 0, 16, 11, false)));
    assertThat(read(text("a") + reason("STOP")).usage()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"code\":null,\"status\":\"RESOURCE_EXHAUSTED\"} | RATE_LIMITED",
        "{\"code\":429,\"message\":\"check your plan and billing details\"} | RATE_LIMITED",
        "{\"code\":null,\"status\":\"UNAVAILABLE\"} | UNAVAILABLE",
        "{\"status\":\"DEADLINE_EXCEEDED\"} | TIMEOUT",
        "{\"status\":\"INTERNAL\"} | UNAVAILABLE",
        "{\"status\":\"UNKNOWN\"} | UNAVAILABLE",
        "{\"code\":8,\"status\":\"RESOURCE_EXHAUSTED\"} | RATE_LIMITED",
        "{\"code\":\"503\"} | UNAVAILABLE",
        "{\"status\":\"INVALID_ARGUMENT\"} | REFUSED_LATE",
        "{\"status\":\"FAILED_PRECONDITION\"} | REFUSED_LATE",
        "{\"status\":\"UNAUTHENTICATED\"} | ACCOUNT",
        "{\"status\":\"PERMISSION_DENIED\"} | ACCOUNT",
        "{\"status\":\"NOT_FOUND\"} | ACCOUNT",
        "{\"status\":\"ABORTED\"} | UNAVAILABLE",
        "{\"code\":499,\"status\":\"CANCELLED\"} | UNAVAILABLE",
        "{\"code\":400,\"message\":\"The input token count (9) exceeds the maximum number of tokens"
            + " allowed (8).\"} | TOO_LARGE",
        "\"busy\" | UNAVAILABLE"
      })
  @DisplayName(
      "an error in a 200 is found by code or status, alone or in an array, as event or not")
  void errors(String error, Kind kind) {
    String object = "{\"error\":" + error + "}";
    for (String form : List.of(
        data(object),
        data("[" + object + "]"),
        object,
        "[" + object + "]",
        "[{\n  \"error\": " + error.replace(",", ",\n    ") + "\n  }\n]\n")) {
      assertFailed(read(form), kind);
      Transcript late = read(text("Hi") + form);
      assertFailed(late, kind);
      assertThat(late.text()).isEqualTo("Hi");
    }
  }

  @Test
  @DisplayName("an error that says nothing is none, comments and other end markers are skipped")
  void noError() {
    Transcript transcript = read(": hello\n\n" + data("{\"error\":null}") + text("a")
        + reason("STOP") + data("[DONE]") + "odd line\n\n");
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("a");
  }

  @Test
  @DisplayName("an event that is not JSON loses the answer, and is not quoted")
  void broken() {
    Transcript transcript = read(text("a") + data("{\"candidates\":secret"));
    assertFailed(transcript, Kind.PROTOCOL);
    assertThat(transcript.failure() + " " + transcript.failure().getCause())
        .doesNotContain("secret");
  }
}
