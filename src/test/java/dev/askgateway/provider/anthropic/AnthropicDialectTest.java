package dev.askgateway.provider.anthropic;

import static dev.askgateway.core.FinishReason.CONTENT_FILTER;
import static dev.askgateway.core.FinishReason.LENGTH;
import static dev.askgateway.core.FinishReason.OTHER;
import static dev.askgateway.core.FinishReason.STOP;
import static dev.askgateway.core.FinishReason.TOOL_CALLS;
import static dev.askgateway.provider.anthropic.Recorded.PING;
import static dev.askgateway.provider.anthropic.Recorded.STOPPED;
import static dev.askgateway.provider.anthropic.Recorded.close;
import static dev.askgateway.provider.anthropic.Recorded.content;
import static dev.askgateway.provider.anthropic.Recorded.delta;
import static dev.askgateway.provider.anthropic.Recorded.error;
import static dev.askgateway.provider.anthropic.Recorded.event;
import static dev.askgateway.provider.anthropic.Recorded.open;
import static dev.askgateway.provider.anthropic.Recorded.read;
import static dev.askgateway.provider.anthropic.Recorded.reason;
import static dev.askgateway.provider.anthropic.Recorded.start;
import static dev.askgateway.provider.anthropic.Recorded.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnthropicDialectTest {
  private static final String END = reason("end_turn") + STOPPED;

  private static void assertFailed(Transcript transcript, Kind kind) {
    assertThat(transcript.failure()).isNotNull();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(kind);
    assertThat(transcript.reasons()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("a recorded stream cut at every byte, and often at random, says the same (B01, B15)")
  void everyCut(String lineEnd) {
    String recorded = start() + PING + text(0, "é क ", "🙂 \\ud83d\\ude42") + END;
    byte[] bytes = recorded.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    Transcript whole = read(new AnthropicDialect(""), bytes);
    assertThat(whole.failure()).isNull();
    assertThat(whole.text()).isEqualTo("é क 🙂 🙂");
    assertThat(whole.usage()).isEqualTo(new Usage(9, 0, 0, 15, 0, false));
    assertThat(whole.reasons()).containsExactly(STOP);
    for (int cut = 0; cut <= bytes.length; cut++) {
      assertThat(read(new AnthropicDialect(""), bytes, cut))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      int[] cuts = random.ints(12, 0, bytes.length + 1).sorted().toArray();
      assertThat(read(new AnthropicDialect(""), bytes, cuts))
          .as("round %d", round)
          .isEqualTo(whole);
    }
  }

  @Test
  @DisplayName("several blocks of text are one answer, in their order")
  void textBlocks() {
    Transcript transcript = read(
        start(),
        open(0, "\"type\":\"text\",\"text\":\"a\""),
        delta(0, "text_delta", "text", "b"),
        delta(0, "citations_delta", "citation", "no"),
        delta(0, "text_delta", "text", ""),
        close(0),
        text(1, "c"),
        PING,
        text(2, "d"),
        END);
    assertThat(transcript.text()).isEqualTo("abcd");
    assertThat(transcript.reasons()).containsExactly(STOP);
  }

  @Test
  @DisplayName("thinking is reasoning; its signature and what is redacted are never text")
  void thinking() {
    Transcript transcript = read(
        start(),
        open(0, "\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\""),
        delta(0, "thinking_delta", "thinking", "hm"),
        delta(0, "thinking_delta", "thinking", "!"),
        delta(0, "signature_delta", "signature", "EqQBCgIY"),
        close(0),
        open(1, "\"type\":\"redacted_thinking\",\"data\":\"EmwKAhgB\""),
        close(1),
        text(2, "Hi"),
        END);
    assertThat(content(transcript))
        .containsExactly(
            new TokenEvent.Reasoning("hm"),
            new TokenEvent.Reasoning("!"),
            new TokenEvent.Text("Hi"),
            new TokenEvent.Finished(STOP));
  }

  @Test
  @DisplayName("events, blocks and deltas that are not known yet are read over")
  void unknown() {
    Transcript transcript = read(
        PING,
        event("weather", "\"delta\":{\"text\":\"no\"}"),
        start(),
        open(0, "\"type\":\"hologram\",\"text\":\"no\""),
        delta(0, "text_delta", "text", "no"),
        delta(0, "hologram_delta", "text", "no"),
        close(0),
        open(1, "\"type\":\"text\",\"text\":\"\""),
        delta(1, "compaction_delta", "content", "no"),
        delta(1, "text_delta", "text", "yes"),
        "data: : keepalive\n\n",
        event("content_block_delta", "\"index\":\"1\",\"delta\":null"),
        close(1),
        END);
    assertThat(content(transcript))
        .containsExactly(new TokenEvent.Text("yes"), new TokenEvent.Finished(STOP));
  }

  @Test
  @DisplayName("the type is the JSON's; the event line speaks only where that is silent")
  void typeOfAnEvent() {
    String inLine = "event: content_block_delta\n"
        + "data: {\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"b\"}}\n\n";
    String otherLine = text(0, "a").replaceAll("event: \\S+", "event: ping");
    assertThat(read(start(), otherLine, inLine, END).text()).isEqualTo("ab");
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded_error,UNAVAILABLE",
    "api_error,UNAVAILABLE",
    "timeout_error,TIMEOUT",
    "rate_limit_error,RATE_LIMITED",
    "request_too_large,TOO_LARGE",
    "authentication_error,ACCOUNT",
    "permission_error,ACCOUNT",
    "not_found_error,ACCOUNT",
    "billing_error,ACCOUNT",
    "invalid_request_error,REFUSED_LATE",
    "brand_new_error,UNAVAILABLE"
  })
  @DisplayName("an error is found first, before and after text, and sorted by its type (B37)")
  void errors(String type, Kind kind) {
    assertFailed(read(error(type, "x")), kind);
    assertFailed(read(PING, error(type, "x"), END), kind);
    assertFailed(read(start(), open(0, "\"type\":\"text\",\"text\":\"\""), error(type, "x")), kind);
    Transcript late = read(start(), text(0, "Hi"), error(type, "x"), END);
    assertFailed(late, kind);
    assertThat(late.text()).isEqualTo("Hi");
    assertFailed(read(start(), text(0, "Hi"), reason("end_turn"), error(type, "x")), kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prompt is too long: 207791 tokens > 200000 maximum | TOO_LARGE",
        "input length and `max_tokens` exceed context limit: 9 + 8 > 16 | TOO_LARGE",
        "Your credit balance is too low to access the API | ACCOUNT",
        "temperature: range 0..1 | REFUSED_LATE"
      })
  @DisplayName("an invalid request may be a long prompt or a spent account")
  void invalidRequests(String message, Kind kind) {
    assertFailed(read(error("invalid_request_error", message)), kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFFevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n",
        "\uFEFFdata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n",
        "event: error\ndata: {\"error\":{\"type\":\"overloaded_error\"}}\n\n",
        "event: error\ndata: {\"type\":\"overloaded_error\",\"message\":\"x\"}\n\n",
        "event: error\ndata: Overloaded\n\n",
        "data: {\"type\":\"error\"}\n\n",
        "data: {\"type\":\"error\",\"error\":\"Overloaded\"}\n\n",
        "data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n",
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n",
        "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"
      })
  @DisplayName(
      "an error is one in every form, with a byte order mark, without a name or its end (B11)")
  void errorForms(String form) {
    assertFailed(read(form), Kind.UNAVAILABLE);
    assertFailed(read(start() + text(0, "Hi") + form.replace("\uFEFF", "")), Kind.UNAVAILABLE);
  }

  @Test
  @DisplayName("an error member that says nothing is no error")
  void noError() {
    assertThat(
            read(start(), text(0, "Hi"), event("ping", "\"error\":null"), END).failure())
        .isNull();
  }

  @Test
  @DisplayName("nothing upstream writes in an error reaches message or cause (B63, B183)")
  void errorTextStaysOut() {
    for (String type : List.of("overloaded_error", "sk-ant-1 of mine")) {
      GatewayError error =
          read(error(type, "key sk-ant-1 refused: my question")).failure();
      assertThat(error.message() + error.getCause()).doesNotContain("sk-ant-1", "question");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "data: [DONE]\n\n", ": nothing\n\n", "<html>busy</html>\n"})
  @DisplayName("a 200 without a message is a failed attempt (B33)")
  void noMessage(String body) {
    assertFailed(read(body), Kind.PROTOCOL);
    assertFailed(read(PING + body + STOPPED), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("an event that is not JSON breaks the protocol")
  void brokenJson() {
    assertFailed(read(start(), "data: {\"type\":\"content\n\n", END), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("a message without content but with its end is an empty answer (B27)")
  void emptyAnswer() {
    Transcript transcript = read(start(), reason("end_turn", "\"output_tokens\":2"), STOPPED);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 2, 0, false));
    assertThat(content(transcript)).containsExactly(new TokenEvent.Finished(STOP));
    Transcript emptyBlock = read(start(), text(0, ""), END);
    assertThat(content(emptyBlock)).containsExactly(new TokenEvent.Finished(STOP));
  }

  @Test
  @DisplayName("an end or a reason makes the answer whole, neither is a truncation (B39)")
  void endings() {
    assertThat(read(start(), text(0, "a"), reason("end_turn")).reasons()).containsExactly(STOP);
    assertThat(read(start(), text(0, "a"), STOPPED).reasons()).containsExactly(OTHER);
    assertFailed(read(start(), text(0, "a")), Kind.TRUNCATED);
    assertFailed(read(start()), Kind.TRUNCATED);
    assertFailed(
        read(start(), text(0, "a"), event("message_delta", "\"delta\":{\"stop_reason\":null}")),
        Kind.TRUNCATED);
  }

  @ParameterizedTest
  @CsvSource({
    "end_turn,STOP",
    "stop_sequence,STOP",
    "pause_turn,STOP",
    "max_tokens,LENGTH",
    "model_context_window_exceeded,LENGTH",
    "tool_use,TOOL_CALLS",
    "refusal,CONTENT_FILTER",
    "brand_new,OTHER"
  })
  @DisplayName("each reason to stop has its wire value")
  void reasons(String wire, String reason) {
    assertThat(read(start(), text(0, "a"), reason(wire), STOPPED).reasons())
        .extracting(Enum::name)
        .containsExactly(reason);
  }

  @Test
  @DisplayName("a refusal half-way keeps its text; a reason is not overwritten by none (B45, B49)")
  void refusal() {
    Transcript transcript = read(
        start(),
        text(0, "I was about"),
        reason("refusal"),
        event("message_delta", "\"delta\":{\"stop_reason\":\"\"},\"usage\":null"),
        STOPPED);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("I was about");
    assertThat(transcript.reasons()).containsExactly(CONTENT_FILTER);
  }

  @Test
  @DisplayName("text after an early reason is not lost, after the end it is (B43)")
  void textAfterReason() {
    assertThat(read(start(), reason("end_turn"), text(0, "late"), STOPPED, text(1, "no"))
            .text())
        .isEqualTo("late");
  }

  @Test
  @DisplayName("a start that comes again is ignored, one of another message breaks the protocol")
  void secondStart() {
    Transcript again =
        read(start(), text(0, "a"), start("msg_01", "\"input_tokens\":99"), text(1, "b"), END);
    assertThat(again.text()).isEqualTo("ab");
    assertThat(again.usage().inputTokens()).isEqualTo(9);
    assertFailed(
        read(start(), text(0, "a"), start("msg_02", "\"input_tokens\":99"), END), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("a message without its start is read all the same")
  void noStart() {
    Transcript transcript = read(text(0, "a"), delta(5, "text_delta", "text", "b"), END);
    assertThat(transcript.text()).isEqualTo("ab");
    assertThat(transcript.reasons()).containsExactly(STOP);
  }

  @Test
  @DisplayName("an event cut off at the end counts only when it parses and is a last one (B123)")
  void unterminatedEvent() {
    String head = start() + text(0, "a");
    String more = "data: {\"type\":\"content_block_delta\",\"index\":0,"
        + "\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}";
    assertFailed(read(head + more), Kind.TRUNCATED);
    assertThat(read(head + more).text()).isEqualTo("a");
    String last = reason("max_tokens").stripTrailing();
    assertThat(read(head + last).reasons()).containsExactly(LENGTH);
    for (int cut = 1; cut < last.length(); cut++) {
      assertFailed(read(head + last.substring(0, cut)), Kind.TRUNCATED);
    }
  }

  @Test
  @DisplayName("tools that run upstream are its own affair: neither calls nor text")
  void serverTools() {
    Transcript transcript = read(
        start(),
        open(0, "\"type\":\"server_tool_use\",\"id\":\"srv\",\"name\":\"web_search\",\"input\":{}"),
        Recorded.input(0, "{\"query\":\"x\"}"),
        close(0),
        open(1, "\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srv\",\"content\":[]"),
        close(1),
        open(2, "\"type\":\"mcp_tool_use\",\"id\":\"m\",\"name\":\"f\",\"input\":{\"a\":1}"),
        close(2),
        text(3, "Found it"),
        reason("end_turn"),
        STOPPED);
    assertThat(content(transcript))
        .containsExactly(new TokenEvent.Text("Found it"), new TokenEvent.Finished(STOP));
  }

  @Test
  @DisplayName("a call is an empty answer to who offered no tools, never text (B61)")
  void unexpectedCall() {
    Transcript transcript =
        read(start(), Recorded.openTool(0, "toolu_1", "f"), close(0), reason("tool_use"), STOPPED);
    assertThat(transcript.text()).isEmpty();
    assertThat(transcript.reasons()).containsExactly(TOOL_CALLS);
  }
}
