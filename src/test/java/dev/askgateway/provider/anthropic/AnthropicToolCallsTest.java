package dev.askgateway.provider.anthropic;

import static dev.askgateway.provider.anthropic.Recorded.STOPPED;
import static dev.askgateway.provider.anthropic.Recorded.close;
import static dev.askgateway.provider.anthropic.Recorded.content;
import static dev.askgateway.provider.anthropic.Recorded.input;
import static dev.askgateway.provider.anthropic.Recorded.open;
import static dev.askgateway.provider.anthropic.Recorded.openTool;
import static dev.askgateway.provider.anthropic.Recorded.read;
import static dev.askgateway.provider.anthropic.Recorded.readAnswer;
import static dev.askgateway.provider.anthropic.Recorded.reason;
import static dev.askgateway.provider.anthropic.Recorded.start;
import static dev.askgateway.provider.anthropic.Recorded.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.ToolCall;
import dev.askgateway.provider.Transcript;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnthropicToolCallsTest {
  private static final String CALLED = reason("tool_use") + STOPPED;

  private static ToolCall first(int index, String id, String name) {
    return new ToolCall(index, id, name, "", "");
  }

  private static ToolCall more(int index, String arguments) {
    return new ToolCall(index, "", "", arguments, "");
  }

  @Test
  @DisplayName("a call's arguments come in pieces, empty ones left out")
  void pieces() {
    Transcript transcript = read(
        start(),
        text(0, "Let me look."),
        openTool(1, "toolu_1", "weather"),
        input(1, ""),
        input(1, "{\"city\": \"Pu"),
        input(1, ""),
        input(1, "ne\"}"),
        close(1),
        CALLED);
    assertThat(content(transcript))
        .containsExactly(
            new TokenEvent.Text("Let me look."),
            first(0, "toolu_1", "weather"),
            more(0, "{\"city\": \"Pu"),
            more(0, "ne\"}"),
            new TokenEvent.Finished(FinishReason.TOOL_CALLS));
  }

  @Test
  @DisplayName("calls are numbered without gaps, whatever blocks stand between them")
  void gapless() {
    Transcript transcript = read(
        start(),
        openTool(1, "toolu_1", "a"),
        open(2, "\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"x\",\"input\":{}"),
        text(4, "and"),
        openTool(7, "toolu_2", "b"),
        input(7, "{\"n\":2}"),
        input(1, "{\"n\":1}"),
        close(7),
        close(1),
        CALLED);
    assertThat(content(transcript).stream().filter(ToolCall.class::isInstance))
        .containsExactly(
            first(0, "toolu_1", "a"),
            first(1, "toolu_2", "b"),
            more(1, "{\"n\":2}"),
            more(0, "{\"n\":1}"));
  }

  @Test
  @DisplayName("a call without arguments has an empty object, with and without the block's end")
  void noArguments() {
    for (String end : new String[] {"", close(0)}) {
      assertThat(content(read(start(), openTool(0, "toolu_1", "now"), input(0, ""), end, CALLED)))
          .containsExactly(
              first(0, "toolu_1", "now"),
              more(0, "{}"),
              new TokenEvent.Finished(FinishReason.TOOL_CALLS));
    }
  }

  @Test
  @DisplayName("an input that is whole in its start counts, unless pieces of it follow")
  void inputInTheStart() {
    String whole = open(0, "\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{\"a\":1}");
    assertThat(content(read(start(), whole, close(0), CALLED)))
        .contains(first(0, "t", "f"), more(0, "{\"a\":1}"));
    assertThat(content(read(start(), whole, input(0, "{\"a\":2}"), close(0), CALLED)))
        .contains(more(0, "{\"a\":2}"))
        .doesNotContain(more(0, "{\"a\":1}"));
  }

  @Test
  @DisplayName("a call may stand whole in the message's start")
  void callInTheMessage() {
    String begun = start()
        .replace(
            "\"content\":[]",
            "\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{\"a\":1}}]");
    assertThat(content(read(begun, CALLED)))
        .containsExactly(
            first(0, "t", "f"),
            more(0, "{\"a\":1}"),
            new TokenEvent.Finished(FinishReason.TOOL_CALLS));
  }

  @Test
  @DisplayName("the cap wins over a call, whose arguments stay as they were cut (B51)")
  void capped() {
    String cut = reason("max_tokens") + STOPPED;
    assertThat(content(read(start(), openTool(0, "t", "f"), cut)))
        .containsExactly(first(0, "t", "f"), new TokenEvent.Finished(FinishReason.LENGTH));
    assertThat(content(read(start(), openTool(0, "t", "f"), input(0, "{\"a"), close(0), cut)))
        .containsExactly(
            first(0, "t", "f"), more(0, "{\"a"), new TokenEvent.Finished(FinishReason.LENGTH));
  }

  @Test
  @DisplayName("the input of the answer's tool is the answer's text, and it ends like any answer")
  void structuredOutput() {
    Transcript transcript = readAnswer(
        "city",
        start(),
        openTool(0, "toolu_1", "city"),
        input(0, ""),
        input(0, "{\"answer\": "),
        input(0, "\"Pune\"}"),
        close(0),
        CALLED);
    assertThat(content(transcript))
        .containsExactly(
            new TokenEvent.Text("{\"answer\": "),
            new TokenEvent.Text("\"Pune\"}"),
            new TokenEvent.Finished(FinishReason.STOP));
  }

  @Test
  @DisplayName("an answer that is whole in the start, or empty, is JSON text as well")
  void wholeAnswer() {
    String whole = open(
        0, "\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"city\",\"input\":{\"answer\":\"Pune\"}");
    assertThat(
            new JsonObject(readAnswer("city", start(), whole, close(0), CALLED).text()))
        .isEqualTo(new JsonObject().put("answer", "Pune"));
    assertThat(readAnswer("city", start(), openTool(0, "t", "city"), CALLED).text())
        .isEqualTo("{}");
  }

  @Test
  @DisplayName("nothing beside the answer spoils its JSON: not what is said, not a second answer")
  void besideTheAnswer() {
    Transcript transcript = readAnswer(
        "city",
        start(),
        text(0, "Here it is:"),
        openTool(1, "t", "city"),
        input(1, "{}"),
        close(1),
        openTool(2, "u", "city"),
        input(2, "{}"),
        close(2),
        CALLED);
    assertThat(transcript.text()).isEqualTo("{}");
    assertThat(transcript.reasoning()).isEqualTo("Here it is:");
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
  }

  @Test
  @DisplayName("a real call in place of the answer is a call; a cut answer ends with the cap")
  void callInsteadOfTheAnswer() {
    Transcript called = readAnswer(
        "city", start(), openTool(0, "t", "weather"), input(0, "{\"a\":1}"), close(0), CALLED);
    assertThat(content(called))
        .containsExactly(
            first(0, "t", "weather"),
            more(0, "{\"a\":1}"),
            new TokenEvent.Finished(FinishReason.TOOL_CALLS));
    Transcript cut = readAnswer(
        "city",
        start(),
        openTool(0, "t", "city"),
        input(0, "{\"a"),
        close(0),
        reason("max_tokens"),
        STOPPED);
    assertThat(cut.text()).isEqualTo("{\"a");
    assertThat(cut.reasons()).containsExactly(FinishReason.LENGTH);
  }
}
