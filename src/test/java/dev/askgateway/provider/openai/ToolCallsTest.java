package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.ToolCall;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolCallsTest {
  private static final String CALLED =
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";

  /** The stream of these {@code tool_calls} arrays, one an event; single quotes for double ones. */
  private static Transcript read(String... events) {
    StringBuilder body = new StringBuilder();
    for (String calls : events) {
      body.append(delta("\"tool_calls\":[" + calls.replace('\'', '"') + "]"));
    }
    return readBody(body + CALLED);
  }

  private static String delta(String members) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":{" + members + "}}]}\n\n";
  }

  private static Transcript readBody(String body) {
    return DialectRun.read(OpenAiDialect.neutral(() -> {}), body);
  }

  private static List<ToolCall> pieces(Transcript transcript) {
    return transcript.events().stream()
        .filter(ToolCall.class::isInstance)
        .map(ToolCall.class::cast)
        .toList();
  }

  /** The calls as a reader joins them, "id name arguments", which checks what a reader relies on. */
  private static List<String> joined(Transcript transcript) {
    assertThat(transcript.failure()).isNull();
    List<StringBuilder> calls = new ArrayList<>();
    for (ToolCall piece : pieces(transcript)) {
      if (piece.index() == calls.size()) {
        assertThat(piece.id()).isNotBlank();
        assertThat(piece.name()).isNotBlank();
        calls.add(new StringBuilder(piece.id() + " " + piece.name() + " "));
      } else {
        assertThat(piece.index()).isLessThan(calls.size());
        assertThat(piece.id() + piece.name()).isEmpty();
      }
      calls.get(piece.index()).append(piece.arguments());
    }
    return calls.stream().map(StringBuilder::toString).toList();
  }

  @Test
  @DisplayName("two calls side by side in pieces are joined by their index")
  void parallel() {
    Transcript transcript = read(
        "{'index':0,'id':'a','type':'function','function':{'name':'f','arguments':''}}",
        "{'index':0,'function':{'arguments':'{\\'x\\''}}",
        "{'index':1,'id':'b','function':{'name':'g','arguments':'{}'}}",
        "{'index':0,'function':{'arguments':':1}'}}");
    assertThat(joined(transcript)).containsExactly("a f {\"x\":1}", "b g {}");
    assertThat(transcript.reasons()).containsExactly(FinishReason.TOOL_CALLS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'index':0,'id':'','function':{'arguments':'1}'}}",
        "{'index':0,'id':null,'function':{'name':null,'arguments':'1}'}}",
        "{'index':0,'id':'a','function':{'name':'f','arguments':'1}'}}",
        "{'index':0,'id':'changed','function':{'name':'','arguments':'1}'}}",
        "{'index':0,'id':'changed','function':{'name':'f','arguments':'1}'}}",
        "{'index':0,'id':'','function':{'name':'f','arguments':'1}'}}",
        "{'index':'0','function':{'arguments':'1}'}}",
        "{'function':{'arguments':'1}'}}",
        "{'id':'a','function':{'arguments':'1}'}}"
      })
  @DisplayName("a piece that goes on may repeat, blank or change id, name and index")
  void continuations(String piece) {
    assertThat(joined(read(
            "{'index':0,'id':'a','function':{'name':'f','arguments':'{\\'x\\':'}}",
            "{'index':0,'function':{'arguments':''}}",
            piece,
            "{'index':0,'function':{'arguments':' '}}")))
        .containsExactly("a f {\"x\":1} ");
  }

  @Test
  @DisplayName("calls without an index are told apart by id and name")
  void noIndex() {
    assertThat(joined(read("{'id':'a','function':{'name':'f','arguments':'{}'}},"
            + "{'id':'b','function':{'name':'f','arguments':'{}'}}")))
        .containsExactly("a f {}", "b f {}");
    assertThat(joined(read(
            "{'id':'a','function':{'name':'f','arguments':'{'}}",
            "{'function':{'arguments':'}'}}",
            "{'id':'b','function':{'name':'g','arguments':'{'}}",
            "{'function':{'arguments':'}'}}",
            "{'id':'a','function':{'arguments':' '}}")))
        .containsExactly("a f {} ", "b g {}");
  }

  @Test
  @DisplayName("an index that is used again for the next call joins nothing")
  void reusedIndex() {
    assertThat(joined(read(
            "{'index':0,'id':'a','function':{'name':'f','arguments':'{}'}}",
            "{'index':0,'id':'b','function':{'name':'f','arguments':''}}",
            "{'index':0,'function':{'arguments':'{}'}},"
                + "{'index':0,'id':'c','function':{'name':'g','arguments':'{}'}}")))
        .containsExactly("a f {}", "b f {}", "c g {}");
    assertThat(read(
            "{'index':0,'function':{'name':'f','arguments':'{}'}}",
            "{'index':0,'function':{'name':'f','arguments':'{}'}}"))
        .satisfies(both -> assertThat(joined(both)).hasSize(2));
  }

  @Test
  @DisplayName("a name that comes late holds its call back, and the indexes stay without gaps")
  void lateName() {
    Transcript transcript = read(
        "{'index':4,'id':'a','function':{'arguments':'{\\'x\\':'}}",
        "{'index':7,'id':'b','function':{'name':'g','arguments':'{}'}}",
        "{'index':4,'function':{'name':'f','arguments':'1'}}",
        "{'index':4,'function':{'name':'f','arguments':'}'}}");
    assertThat(joined(transcript)).containsExactly("b g {}", "a f {\"x\":1}");
  }

  @Test
  @DisplayName("arguments that could be whole already are not the end of the call")
  void wholeTooEarly() {
    assertThat(joined(read(
            "{'index':0,'id':'a','function':{'name':'f','arguments':'{}'}}",
            "{'index':0,'id':'','function':{'name':'f','arguments':''}}",
            "{'index':0,'id':'a','function':{'name':'f','arguments':' '}}")))
        .containsExactly("a f {} ");
  }

  @Test
  @DisplayName(
      "a call whole in one chunk beside its reason is one piece; no id gets one of ours (B61)")
  void whole() {
    Transcript transcript =
        readBody("data: {\"choices\":[{\"delta\":{\"content\":\"\",\"tool_calls\":["
            + "{\"function\":{\"name\":\"f\",\"arguments\":{\"x\":[1]}}}]},"
            + "\"finish_reason\":\"tool_calls\"}]}\n\n");
    assertThat(transcript.failure()).isNull();
    assertThat(pieces(transcript)).singleElement().satisfies(piece -> {
      assertThat(piece.id()).matches("call_[0-9a-f]{32}");
      assertThat(piece.name()).isEqualTo("f");
      assertThat(piece.arguments()).isEqualTo("{\"x\":[1]}");
    });
  }

  @Test
  @DisplayName("the old function_call is a call, once where both forms are sent")
  void functionCall() {
    assertThat(joined(readBody(delta("\"function_call\":{\"name\":\"f\",\"arguments\":\"{\"}")
            + delta("\"function_call\":{\"arguments\":\"}\"}")
            + CALLED)))
        .singleElement()
        .satisfies(call -> assertThat(call).endsWith(" f {}"));
    assertThat(joined(readBody(delta("\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"},"
                + "\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\","
                + "\"arguments\":\"{}\"}}]")
            + CALLED)))
        .containsExactly("a f {}");
  }

  @Test
  @DisplayName("Google's signature comes with its call, and stop after calls means the calls")
  void signature() {
    Transcript transcript =
        readBody(delta("\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
                + "\"{}\"},\"extra_content\":{\"google\":{\"thought_signature\":\"sig\"}}}]")
            + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    assertThat(transcript.events())
        .containsExactly(
            new ToolCall(0, "a", "f", "{}", "sig"),
            new TokenEvent.Finished(FinishReason.TOOL_CALLS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {"''", "null", "7", "[]", "{}", "'x'"})
  @DisplayName("calls of a wrong shape are no calls")
  void wrongShapes(String shape) {
    String json = shape.replace('\'', '"');
    Transcript transcript = readBody(delta("\"tool_calls\":" + json + ",\"content\":\"a\"")
        + delta("\"tool_calls\":[" + json + "],\"function_call\":" + json)
        + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("a");
    assertThat(pieces(transcript)).isEmpty();
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
  }

  @Test
  @DisplayName("a call that never gets a name, and calls without end, are failures")
  void broken() {
    Transcript nameless = read("{'index':0,'id':'a','function':{'arguments':'{}'}}");
    assertThat(ProviderFailure.kindOf(nameless.failure())).isEqualTo(Kind.PROTOCOL);
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 257; i++) {
      many.append(delta(
          "\"tool_calls\":[{\"index\":" + i + ",\"id\":\"a\",\"function\":{\"name\":\"f\"}}]"));
    }
    Transcript endless = readBody(many + CALLED);
    assertThat(ProviderFailure.kindOf(endless.failure())).isEqualTo(Kind.PROTOCOL);
    assertThat(pieces(endless)).hasSize(256);
  }
}
