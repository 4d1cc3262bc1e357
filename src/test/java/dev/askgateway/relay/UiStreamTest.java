package dev.askgateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SampleEvents;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.GatewayError;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UiStreamTest {
  private static List<JsonObject> chunks(RelayConfig.Compat compat, AnswerEvent... events) {
    UiStream stream = new UiStream(compat);
    List<JsonObject> chunks = new ArrayList<>();
    for (AnswerEvent event : events) {
      for (String frame : stream.encode(event).split("\n\n", -1)) {
        if (!frame.isEmpty() && !frame.equals("data: [DONE]")) {
          assertThat(frame).startsWith("data: {").doesNotContain("\n");
          chunks.add(new JsonObject(frame.substring("data: ".length())));
        }
      }
    }
    return chunks;
  }

  private static List<String> order(List<JsonObject> chunks) {
    return chunks.stream().map(chunk -> chunk.getString("type")).toList();
  }

  @Test
  @DisplayName("a completed answer has exactly the parts of the contract, in order")
  void completed() {
    List<JsonObject> chunks = chunks(
        RelayConfig.Compat.NONE,
        SampleEvents.opened(),
        new AnswerEvent.Phase(PhaseName.RETRIEVING),
        SampleEvents.sources(),
        new AnswerEvent.Phase(PhaseName.ANSWERING),
        new AnswerEvent.ModelCalled("openai", "gpt", 9),
        new AnswerEvent.TextStarted(),
        new AnswerEvent.Text("You agreed "),
        SampleEvents.sources("S1"),
        new AnswerEvent.Text("on Saturday [S1]."),
        new AnswerEvent.Phase(PhaseName.SAVING),
        SampleEvents.completed());

    assertThat(order(chunks))
        .containsExactly(
            "start",
            "start-step",
            "data-thread",
            "data-status",
            "data-sources",
            "data-status",
            "text-start",
            "text-delta",
            "data-sources",
            "text-delta",
            "text-end",
            "data-status",
            "data-finish",
            "finish-step",
            "finish");
    assertThat(chunks.get(0).getString("messageId")).isEqualTo(SampleEvents.TURN.toString());
    assertThat(chunks.get(7).getString("id")).isEqualTo(SampleEvents.TURN.toString());
    assertThat(chunks.get(14).getString("finishReason")).isEqualTo("stop");
    assertThat(chunks.get(8).getJsonObject("data").getJsonArray("citations")).hasSize(1);
  }

  @Test
  @DisplayName("a failure says its code first, closes its blocks, and ends in one error")
  void failed() {
    List<JsonObject> chunks = chunks(
        RelayConfig.Compat.NONE,
        SampleEvents.opened(),
        new AnswerEvent.TextStarted(),
        new AnswerEvent.Text("half"),
        SampleEvents.failed(GatewayError.Code.PROVIDER_TRUNCATED));

    assertThat(order(chunks).subList(5, 10))
        .containsExactly("data-error", "data-finish", "text-end", "finish-step", "error");
    assertThat(chunks.get(5).getJsonObject("data").getString("code"))
        .isEqualTo("provider_truncated");
    assertThat(chunks.get(5).getJsonObject("data").getBoolean("retryable")).isTrue();
    assertThat(chunks.get(6).getJsonObject("data").getBoolean("partial")).isTrue();
  }

  @Test
  @DisplayName("a cancel before any text ends in abort and opens no text block")
  void cancelled() {
    List<JsonObject> chunks =
        chunks(RelayConfig.Compat.NONE, SampleEvents.opened(), SampleEvents.cancelled());

    assertThat(order(chunks))
        .containsExactly(
            "start", "start-step", "data-thread", "data-finish", "finish-step", "abort");
    assertThat(chunks.get(5).fieldNames()).containsExactly("type");
  }

  @Test
  @DisplayName("every stream ends in one [DONE]")
  void done() {
    assertThat(new UiStream(RelayConfig.Compat.NONE).encode(SampleEvents.completed()))
        .endsWith("data: [DONE]\n\n")
        .containsOnlyOnce("[DONE]");
  }

  @Test
  @DisplayName("an older client gets its own status names and one whole result")
  void claire() {
    List<JsonObject> chunks = chunks(
        RelayConfig.Compat.CLAIRE,
        SampleEvents.opened(),
        new AnswerEvent.Phase(PhaseName.RETRIEVING),
        SampleEvents.sources("S1"),
        new AnswerEvent.TextStarted(),
        new AnswerEvent.Text("Yes [S1]."),
        SampleEvents.completed());

    JsonObject result = chunks.stream()
        .filter(chunk -> chunk.getString("type").equals("data-claire-result"))
        .findFirst()
        .orElseThrow()
        .getJsonObject("data");
    assertThat(result.getString("answer")).isEqualTo("Yes [S1].");
    assertThat(result.getJsonArray("citations")).hasSize(1);
    assertThat(order(chunks)).contains("data-claire-status");
  }

  @Test
  @DisplayName("no chunk has a null outside the members that may be null")
  void noNulls() {
    for (JsonObject chunk :
        chunks(RelayConfig.Compat.NONE, SampleEvents.everyKind().toArray(AnswerEvent[]::new))) {
      for (String member : chunk.fieldNames()) {
        assertThat(chunk.getValue(member)).as(member).isNotNull();
      }
    }
  }

  @Test
  @DisplayName("however often an answer is replayed, the bytes are the same: one message, one text")
  void replays() {
    List<AnswerEvent> events = List.of(
        SampleEvents.opened(),
        new AnswerEvent.Phase(PhaseName.RETRIEVING),
        SampleEvents.sources(),
        new AnswerEvent.Phase(PhaseName.ANSWERING),
        new AnswerEvent.TextStarted(),
        SampleEvents.sources("S1", "S2", "S3"),
        new AnswerEvent.Text("A [S1], B [S2], C [S3]."),
        new AnswerEvent.Phase(PhaseName.SAVING),
        SampleEvents.completed());
    List<String> replays = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      UiStream stream = new UiStream(RelayConfig.Compat.CLAIRE);
      StringBuilder bytes = new StringBuilder();
      events.forEach(event -> bytes.append(stream.encode(event)));
      replays.add(bytes.toString());
    }

    assertThat(replays).containsOnly(replays.get(0));
    assertThat(replays.get(0))
        .containsOnlyOnce("\"type\":\"text-start\"")
        .containsOnlyOnce("\"type\":\"start\",\"messageId\":\"" + SampleEvents.TURN + "\"")
        .containsOnlyOnce("\"type\":\"finish\"");
  }
}
