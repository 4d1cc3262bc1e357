package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.Chunk;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerbatimReadingTest {
  private static final String STOPPED =
      "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}";
  private static final String DONE = "data: [DONE]\n\n";

  private static String data(String json) {
    return "data: " + json + "\n\n";
  }

  private static Transcript read(int choices, String body) {
    return DialectRun.read(OpenAiDialect.verbatim(choices, () -> {}), body);
  }

  private static Transcript read(String body) {
    return read(1, body);
  }

  private static List<Chunk> chunks(Transcript transcript) {
    return transcript.events().stream()
        .filter(Chunk.class::isInstance)
        .map(Chunk.class::cast)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("wherever it is cut, each event comes back with the very bytes it had (B01, B15)")
  void everyCut(String lineEnd) {
    List<String> events = List.of(
        "{\"id\":\"\",\"created\":0,\"choices\":[],\"prompt_filter_results\":[]}",
        "{ \"choices\" : [ {\"delta\":{\"role\":\"assistant\",\"content\":\"\"} } ],\"odd\":1.50 }",
        "{\"choices\":[{\"delta\":{\"content\":\"क 🙂 \\ud83d\\ude42\"}}],\"x\":{\"é\":null}}",
        STOPPED,
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}");
    StringBuilder body = new StringBuilder(": wait\n\ndata: : keepalive\n\n");
    events.forEach(event -> body.append(data(event)));
    byte[] bytes =
        body.append(DONE).toString().replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    Random random = new Random(5);
    for (int round = 0; round <= bytes.length; round++) {
      int[] cuts = round < bytes.length
          ? new int[] {round}
          : random.ints(9, 0, 99).sorted().toArray();
      Transcript transcript = DialectRun.read(OpenAiDialect.verbatim(1, () -> {}), bytes, cuts);
      assertThat(transcript.failure()).isNull();
      assertThat(chunks(transcript))
          .extracting(chunk -> chunk.json().toString())
          .isEqualTo(events);
      assertThat(chunks(transcript)).extracting(Chunk::textChars).containsExactly(0, 0, 7, 0, 0);
      assertThat(chunks(transcript))
          .extracting(Chunk::usageOnly)
          .containsExactly(false, false, false, false, true);
      assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 4, 0, false));
      assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"content\":\"abc\"} | 3 | 0",
        "{\"content\":[{\"text\":\"ab\"},{\"thinking\":\"xyz\"}]} | 2 | 3",
        "{\"reasoning_content\":\"hm\",\"reasoning\":\"hm\"} | 0 | 2",
        "{\"refusal\":\"no\"} | 2 | 0",
        "{\"refusal\":false,\"content\":null} | 0 | 0",
        "{\"tool_calls\":[]} | 0 | 0",
        "{\"tool_calls\":[{\"index\":0,\"id\":\"c\"}]} | 0 | 1",
        "{\"tool_calls\":[{\"function\":{\"name\":\"fn\",\"arguments\":\"{}\"}},{}]} | 0 | 5",
        "{\"function_call\":{\"name\":\"fn\",\"arguments\":\"{}\"}} | 0 | 4",
        "null | 0 | 0"
      })
  @DisplayName("what a chunk holds is counted as text or as something else")
  void counts(String delta, int textChars, int otherChars) {
    String json = "{\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}";
    assertThat(chunks(read(data(json) + DONE)))
        .containsExactly(new Chunk(Buffer.buffer(json), textChars, otherChars, false));
  }

  @Test
  @DisplayName("every choice is output, and the stream is over when all that were asked for are")
  void choices() {
    String second = "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"ab\"}}]}";
    String secondStops = "{\"choices\":[{\"index\":1,\"delta\":{},\"finish_reason\":\"length\"}]}";
    OpenAiDialect dialect = OpenAiDialect.verbatim(2, () -> {});
    Transcript cut = DialectRun.read(dialect, data(second) + data(STOPPED));
    assertThat(dialect.finishing()).isFalse();
    assertThat(ProviderFailure.kindOf(cut.failure())).isEqualTo(Kind.TRUNCATED);
    assertThat(chunks(cut)).extracting(Chunk::textChars).containsExactly(2, 0);
    dialect = OpenAiDialect.verbatim(2, () -> {});
    Transcript whole = DialectRun.read(dialect, data(second) + data(STOPPED) + data(secondStops));
    assertThat(dialect.finishing()).isTrue();
    assertThat(whole.reasons()).containsExactly(FinishReason.STOP);
    assertThat(read(2, data(STOPPED)).reasons()) // a server that gives one answer only
        .containsExactly(FinishReason.STOP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"code\":500},\"choices\":[{\"delta\":{\"content\":\"a\"}}]}",
        "{\"error\":\"broken\"}",
        "{\"choices\":[{\"index\":1,\"delta\":{},\"finish_reason\":\"error\"}]}"
      })
  @DisplayName("a chunk with an error is a failure, and is not passed on (B21, B47)")
  void errors(String json) {
    Transcript transcript = read(data(STOPPED) + data(json) + DONE);
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.UNAVAILABLE);
    assertThat(chunks(transcript)).hasSize(1);
    assertThat(transcript.reasons()).isEmpty();
  }

  @Test
  @DisplayName("a bare JSON error line fails, broken JSON too, and null is no error (B21, B47)")
  void otherErrors() {
    assertThat(
            ProviderFailure.kindOf(read(data(STOPPED) + "{\"error\":\"x\"}\n").failure()))
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(ProviderFailure.kindOf(read(data("{\"choices\":[{") + DONE).failure()))
        .isEqualTo(Kind.PROTOCOL);
    String fine = "{\"error\":null,\"choices\":[{\"delta\":{\"content\":\"a\"}}]}";
    assertThat(read(data(fine) + DONE).failure()).isNull();
  }

  @Test
  @DisplayName("JSON over several data lines is passed on in one line (B03)")
  void severalLines() {
    Transcript transcript = read("data: {\"choices\":\ndata: [{}]}\n\n" + DONE);
    assertThat(chunks(transcript))
        .containsExactly(new Chunk(Buffer.buffer("{\"choices\": [{}]}"), 0, 0, false));
  }

  @Test
  @DisplayName("bytes that are no UTF-8 are passed on as replacement characters")
  void noUtf8() {
    String json = "{\"choices\":[{\"delta\":{\"content\":\"a~\"}}]}";
    byte[] body = (data(json) + DONE).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < body.length; i++) {
      body[i] = body[i] == '~' ? (byte) 0xC3 : body[i];
    }
    Transcript transcript = DialectRun.read(OpenAiDialect.verbatim(1, () -> {}), body);
    assertThat(chunks(transcript))
        .containsExactly(new Chunk(Buffer.buffer(json.replace('~', '\uFFFD')), 2, 0, false));
  }

  @Test
  @DisplayName("usage in every chunk is told when it changes (B67)")
  void usageInEveryChunk() {
    String one =
        "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"completion_tokens\":1}}";
    Transcript transcript = read(data(one) + data(one) + data(STOPPED));
    assertThat(transcript.events().stream().filter(TokenEvent.Metered.class::isInstance))
        .containsExactly(new TokenEvent.Metered(new Usage(0, 0, 0, 1, 0, false)));
  }
}
