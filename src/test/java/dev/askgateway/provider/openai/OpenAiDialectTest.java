package dev.askgateway.provider.openai;

import static dev.askgateway.core.FinishReason.CONTENT_FILTER;
import static dev.askgateway.core.FinishReason.LENGTH;
import static dev.askgateway.core.FinishReason.OTHER;
import static dev.askgateway.core.FinishReason.STOP;
import static dev.askgateway.core.FinishReason.TOOL_CALLS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiDialectTest {
  private static final String DONE = "data: [DONE]\n\n";
  private static final String STOPPED = choice("\"delta\":{},\"finish_reason\":\"stop\"");

  private static String data(String json) {
    return "data: " + json + "\n\n";
  }

  private static String choice(String members) {
    return data("{\"choices\":[{\"index\":0," + members + "}]}");
  }

  private static String content(String text) {
    return choice("\"delta\":{\"content\":\"" + text + "\"},\"finish_reason\":null");
  }

  private static Transcript read(byte[] body, int... cuts) {
    return DialectRun.read(OpenAiDialect.neutral(() -> {}), body, cuts);
  }

  private static Transcript read(String body) {
    return read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertFailed(Transcript transcript, Kind kind) {
    assertThat(transcript.failure()).isNotNull();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(kind);
    assertThat(transcript.reasons()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("a recorded stream cut at every byte, and often at random, says the same (B01, B15)")
  void everyCut(String lineEnd) {
    String recorded = ": waiting\n\n"
        + choice("\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null")
        + content("é क 🙂 ") + ": ping\n\n" + content("\\ud83d\\ude42 done")
        + STOPPED
        + data("{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}")
        + DONE;
    byte[] bytes = recorded.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    Transcript whole = read(bytes);
    assertThat(whole.text()).isEqualTo("é क 🙂 🙂 done");
    assertThat(whole.usage()).isEqualTo(new Usage(9, 0, 0, 4, 0, false));
    assertThat(whole.reasons()).containsExactly(STOP);
    for (int cut = 0; cut <= bytes.length; cut++) {
      assertThat(read(bytes, cut)).as("cut at %d", cut).isEqualTo(whole);
    }
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      int[] cuts = random.ints(12, 0, bytes.length + 1).sorted().toArray();
      assertThat(read(bytes, cuts)).as("round %d", round).isEqualTo(whole);
    }
  }

  @Test
  @DisplayName("data without the blank, a bare data line and no end marker are fine (B07, B39)")
  void tightData() {
    Transcript transcript = read("data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
        + "data:{\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata:\n\n"
        + "data:{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}}\n\n");
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.reasons()).containsExactly(STOP);
    assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 1, 0, false));
  }

  @Test
  @DisplayName("a keep-alive written as data is ignored, broken JSON is not (B13)")
  void keepAliveAsData() {
    assertThat(read("data: : keepalive\n\n" + content("a") + STOPPED).text()).isEqualTo("a");
    assertFailed(read(content("a") + "data: {\"choices\":[{\n\n" + STOPPED), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("keep-alives written as data are counted, comments and end markers are not (B13)")
  void keepAlivesAreCounted() {
    AtomicInteger count = new AtomicInteger();
    String body = ": a\n\ndata: : keepalive\n\n" + content("a") + "data: ping\n\n" + STOPPED + DONE;
    DialectRun.read(OpenAiDialect.neutral(count::incrementAndGet), body);
    assertThat(count).hasValue(2);
  }

  @Test
  @DisplayName("bytes that are no UTF-8 become replacement characters and end nothing")
  void noUtf8() {
    byte[] body = (content("a~b") + STOPPED).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < body.length; i++) {
      body[i] = body[i] == '~' ? (byte) 0xE0 : body[i];
    }
    assertThat(read(body).text()).isEqualTo("a\uFFFDb");
  }

  @Test
  @DisplayName("more than one JSON value in an event is broken JSON")
  void trailingValue() {
    assertFailed(read(data("{\"choices\":[]} {}") + STOPPED), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("a chunk cut off or spoilt anywhere tells nothing of what it held")
  void brokenAnywhere() {
    String whole = "{\"choices\":[{\"delta\":{\"content\":\"x\",\"tool_calls\":[{\"function\":{"
        + "\"name\":\"f\"}}]},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}";
    for (int cut = 1; cut < whole.length(); cut++) {
      Transcript transcript = read(data(whole.substring(0, cut)) + STOPPED);
      assertFailed(transcript, Kind.PROTOCOL);
      assertThat(transcript.events()).isEmpty();
    }
  }

  @Test
  @DisplayName("usage is found where Kimi and DeepSeek put it")
  void usageElsewhere() {
    Transcript kimi = read(choice("\"delta\":{},\"finish_reason\":\"stop\",\"usage\":{"
        + "\"prompt_tokens\":9,\"completion_tokens\":2,\"cached_tokens\":4}"));
    assertThat(kimi.usage()).isEqualTo(new Usage(5, 4, 0, 2, 0, false));
    assertThat(usage("\"prompt_tokens\":9,\"completion_tokens\":2,"
            + "\"prompt_cache_hit_tokens\":4,\"prompt_cache_miss_tokens\":5"))
        .isEqualTo(new Usage(5, 4, 0, 2, 0, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"error\":{\"message\":\"too many tokens\",\"code\":400}} | TOO_LARGE",
        "{\"error\":{\"message\":\"too many tokens\",\"code\":\"400\"}} | TOO_LARGE",
        "{\"error\":{\"message\":\"x\",\"code\":\"context_length_exceeded\"}} | TOO_LARGE",
        "{\"error\":\"an error was encountered while running the model\"} | UNAVAILABLE",
        "{\"error\":{\"code\":\"tool_use_failed\",\"status_code\":400}} | REFUSED_LATE",
        "{\"error\":{\"type\":\"invalid_request_error\"}} | REFUSED_LATE",
        "{\"error\":{\"message\":\"Rate limit reached\",\"code\":null}} | RATE_LIMITED",
        "{\"error\":{\"code\":429,\"type\":\"insufficient_quota\"}} | ACCOUNT",
        "{\"error\":{\"code\":\"invalid_api_key\"}} | ACCOUNT",
        "{\"error\":{\"code\":502}} | UNAVAILABLE",
        "{\"error\":{\"code\":504}} | TIMEOUT",
        "{\"error\":42} | UNAVAILABLE",
        "{\"error\":{\"code\":500},\"choices\":[{\"delta\":{\"content\":\"\"}}]} | UNAVAILABLE",
        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]} | UNAVAILABLE"
      })
  @DisplayName(
      "an error in a 200 is found in every form, also before an end marker (B21, B47, B63)")
  void errorForms(String json, Kind kind) {
    assertFailed(read(data(json) + DONE), kind);
    Transcript late = read(content("Hi") + data(json) + DONE);
    assertFailed(late, kind);
    assertThat(late.text()).isEqualTo("Hi");
  }

  @Test
  @DisplayName("a plain JSON error line without data: is an error (B47)")
  void rawErrorLine() {
    assertFailed(read(content("a") + "{\"error\":\"llama runner died\"}\n"), Kind.UNAVAILABLE);
    assertFailed(read("{\"error\":\"llama runner died\"}"), Kind.UNAVAILABLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "false", "\"\"", "{}"})
  @DisplayName("an error member that says nothing is no error (B21)")
  void noError(String none) {
    Transcript transcript = read(
        data("{\"error\":" + none + ",\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}") + STOPPED);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("ok");
  }

  @Test
  @DisplayName("nothing upstream writes in an error reaches message or cause (B63, B183)")
  void errorTextStaysOut() {
    GatewayError error = read(data(
            "{\"error\":{\"message\":\"key sk-123 refused for: my question\","
                + "\"code\":\"bad code, my question\",\"type\":\"sk 1\"}}"))
        .failure();
    assertThat(error.message() + error.getCause()).doesNotContain("sk-123", "question", "sk 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", DONE, ": nothing\n\n", "<html>busy</html>\n"})
  @DisplayName("a 200 without a single choice is a failed attempt (B33)")
  void noChoice(String body) {
    assertFailed(read(body), Kind.PROTOCOL);
    assertFailed(
        read(
            data("{\"choices\":[],\"id\":\"\",\"created\":0,\"prompt_filter_results\":[]}") + body),
        Kind.PROTOCOL);
  }

  @Test
  @DisplayName("role, empty text, finish and usage are an empty answer, not a failure (B27)")
  void emptyAnswer() {
    Transcript transcript = read(choice("\"delta\":{\"role\":\"assistant\",\"content\":\"\"}")
        + STOPPED
        + data("{\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":0}}")
        + DONE);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events())
        .containsExactly(
            new TokenEvent.Metered(new Usage(12, 0, 0, 0, 0, false)),
            new TokenEvent.Finished(STOP));
  }

  @Test
  @DisplayName("an end marker without a reason ends with other, neither is a truncation")
  void endings() {
    assertThat(read(content("a") + DONE).reasons()).containsExactly(OTHER);
    assertFailed(read(content("a")), Kind.TRUNCATED);
    assertThat(read(content("a")).failure().code()).isEqualTo(Code.PROVIDER_TRUNCATED);
  }

  @ParameterizedTest
  @CsvSource({
    "stop,STOP",
    "length,LENGTH",
    "content_filter,CONTENT_FILTER",
    "tool_calls,TOOL_CALLS",
    "function_call,TOOL_CALLS",
    "eos,OTHER"
  })
  @DisplayName("each reason to stop has its wire value")
  void reasons(String wire, String reason) {
    assertThat(read(choice("\"delta\":{},\"finish_reason\":\"" + wire + "\"")).reasons())
        .extracting(Enum::name)
        .containsExactly(reason);
  }

  @Test
  @DisplayName("an empty finish reason is none: it neither ends nor overwrites")
  void emptyReason() {
    String empty = choice("\"delta\":{},\"finish_reason\":\"\"");
    assertFailed(read(content("a") + empty), Kind.TRUNCATED);
    assertThat(read(choice("\"delta\":{},\"finish_reason\":\"length\"") + empty).reasons())
        .containsExactly(LENGTH);
  }

  @Test
  @DisplayName("text beside the reason, and after it, is not lost")
  void textBesideReason() {
    Transcript transcript = read(content("a")
        + choice("\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"")
        + content("c")
        + DONE);
    assertThat(transcript.text()).isEqualTo("abc");
    assertThat(transcript.reasons()).containsExactly(STOP);
  }

  @Test
  @DisplayName("missing and null choices and deltas, and other choices, do no harm (B53, B55)")
  void missingParts() {
    Transcript transcript = read(data("{}")
        + data("{\"choices\":null}")
        + choice("\"delta\":null")
        + choice("\"delta\":{\"content\":null}")
        + data("{\"choices\":[null,{\"index\":1,\"delta\":{\"content\":\"no\"}}]}")
        + content("yes")
        + choice("\"finish_reason\":\"stop\""));
    assertThat(transcript.text()).isEqualTo("yes");
    assertThat(transcript.reasons()).containsExactly(STOP);
  }

  @Test
  @DisplayName("wrong types of members nobody needs are read over (B57)")
  void lenient() {
    Transcript transcript = read(data("{\"created\":\"1700000000\",\"id\":5,\"x\":{},\"choices\":[{"
            + "\"index\":\"0\",\"delta\":{\"role\":\"\",\"content\":\"a\",\"refusal\":false}}]}")
        + choice("\"delta\":{\"role\":null,\"content\":\"b\",\"tool_calls\":[]}")
        + STOPPED);
    assertThat(transcript.text()).isEqualTo("ab");
    assertThat(transcript.reasons()).containsExactly(STOP);
  }

  @Test
  @DisplayName("reasoning is kept apart, under either name and not twice (B59)")
  void reasoning() {
    Transcript transcript = read(choice("\"delta\":{\"reasoning_content\":\"\"}")
        + choice("\"delta\":{\"reasoning_content\":\"hm\",\"reasoning\":\"hm\"}")
        + choice("\"delta\":{\"reasoning\":\"!\"}")
        + choice("\"delta\":{\"reasoning_content\":null,\"content\":\"Hi\"}")
        + STOPPED);
    assertThat(transcript.reasoning()).isEqualTo("hm!");
    assertThat(transcript.text()).isEqualTo("Hi");
  }

  @Test
  @DisplayName("content may be a list of text and thinking parts")
  void contentParts() {
    Transcript transcript = read(choice("\"delta\":{\"content\":["
            + "{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"hm\"}]},"
            + "{\"type\":\"text\",\"text\":\"Hi\"},{\"type\":\"image\"},7]}")
        + STOPPED);
    assertThat(transcript.reasoning()).isEqualTo("hm");
    assertThat(transcript.text()).isEqualTo("Hi");
  }

  @Test
  @DisplayName("a refusal is shown and turns stop into content-filter; a filter ends well (B49)")
  void refusal() {
    Transcript refused = read(choice("\"delta\":{\"refusal\":\"I cannot\"}") + STOPPED);
    assertThat(refused.text()).isEqualTo("I cannot");
    assertThat(refused.reasons()).containsExactly(CONTENT_FILTER);
    Transcript filtered = read(choice("\"delta\":{\"role\":\"assistant\"}")
        + choice("\"delta\":{},\"finish_reason\":\"content_filter\""));
    assertThat(filtered.failure()).isNull();
    assertThat(filtered.reasons()).containsExactly(CONTENT_FILTER);
  }

  @Test
  @DisplayName("a tool call is an empty answer, never text (B61)")
  void toolCall() {
    Transcript transcript =
        read(choice("\"delta\":{\"content\":\"\",\"tool_calls\":[{\"id\":\"c1\",\"function\":"
            + "{\"name\":\"f\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\""));
    assertThat(transcript.text()).isEmpty();
    assertThat(transcript.reasons()).containsExactly(TOOL_CALLS);
  }

  @Test
  @DisplayName("usage in every event is a running total: the last one counts (B67)")
  void usageInEveryEvent() {
    String first = "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}";
    String last = "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}";
    Transcript transcript =
        read(data("{" + first + ",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}")
            + data("{" + last + ",\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":"
                + "\"stop\"}]}")
            + data("{" + last + ",\"choices\":[]}")
            + data("{\"usage\":null,\"choices\":[]}"));
    assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 2, 0, false));
    assertThat(transcript.events().stream().filter(TokenEvent.Metered.class::isInstance))
        .hasSize(2);
  }

  @Test
  @DisplayName("usage is split into buckets that do not overlap, whatever is null or too large")
  void usageBuckets() {
    assertThat(usage("\"prompt_tokens\":100,\"completion_tokens\":50,\"prompt_tokens_details\":{"
            + "\"cached_tokens\":60,\"cache_write_tokens\":10},\"completion_tokens_details\":{"
            + "\"reasoning_tokens\":20}"))
        .isEqualTo(new Usage(30, 60, 10, 50, 20, false));
    assertThat(usage("\"prompt_tokens\":\"5\",\"completion_tokens\":null,"
            + "\"prompt_tokens_details\":null,\"completion_tokens_details\":{"
            + "\"reasoning_tokens\":7}"))
        .isEqualTo(new Usage(5, 0, 0, 0, 0, false));
    assertThat(usage("\"prompt_tokens\":5,\"completion_tokens\":1,\"prompt_tokens_details\":{"
            + "\"cached_tokens\":9}"))
        .isEqualTo(new Usage(0, 5, 0, 1, 0, false));
  }

  private static Usage usage(String members) {
    return read(STOPPED + data("{\"usage\":{" + members + "}}")).usage();
  }

  @Test
  @DisplayName("an event cut off at the end counts only when it parses and is a last one (B123)")
  void unterminatedEvent() {
    String text = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}";
    assertFailed(read(content("a") + text), Kind.TRUNCATED);
    assertThat(read(content("a") + text).text()).isEqualTo("a");
    assertThat(read(content("a") + "data: [DONE]").reasons()).containsExactly(OTHER);
    String last =
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}";
    assertThat(read(content("a") + last).text()).isEqualTo("ax");
    for (int cut = 1; cut < last.length(); cut++) {
      Transcript cutOff = read(content("a") + last.substring(0, cut));
      assertFailed(cutOff, Kind.TRUNCATED);
      assertThat(cutOff.text()).isEqualTo("a");
    }
  }
}
