package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.Citation;
import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.TurnIds;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Events of answers for tests: fixed ids, fixed times. */
public final class SampleEvents {
  public static final UUID REQUEST = new UUID(1, 1);
  public static final UUID THREAD = new UUID(2, 2);
  public static final UUID ASKED = new UUID(3, 3);
  public static final UUID TURN = new UUID(4, 4);
  public static final Instant AT = Instant.parse("2026-11-28T18:00:00Z");

  private SampleEvents() {}

  public static AnswerEvent.Opened opened() {
    return new AnswerEvent.Opened(
        new TurnIds(REQUEST, THREAD, ASKED, TURN), AT, List.of(new UUID(5, 5)), true);
  }

  public static EvidenceWindow window(String label) {
    UUID id = UUID.nameUUIDFromBytes(label.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return new EvidenceWindow(
        label,
        id,
        new UUID(5, 5),
        "Ana",
        "whatsapp",
        false,
        false,
        List.of(
            new EvidenceMessage(id, "wa-" + label, "Ana", false, AT, "Dinner at 8?", true, null)));
  }

  public static AnswerEvent.Sources sources(String... labels) {
    return new AnswerEvent.Sources(
        java.util.Arrays.stream(labels)
            .map(label -> Citation.of(window(label), false))
            .toList(),
        new JsonObject().put("status", "ready").put("indexedCount", 3).put("totalCount", 3),
        QueryPlan.plain().toJson());
  }

  public static AnswerEvent.Phase phase(PhaseName name) {
    return new AnswerEvent.Phase(name);
  }

  public static AnswerEvent.Ended completed() {
    return ended(TurnState.COMPLETED, FinishReason.STOP, null);
  }

  public static AnswerEvent.Ended failed(GatewayError.Code code) {
    return ended(TurnState.FAILED, FinishReason.ERROR, new AnswerEvent.Failure(code, "It failed."));
  }

  public static AnswerEvent.Ended cancelled() {
    return ended(TurnState.CANCELLED, FinishReason.OTHER, null);
  }

  private static AnswerEvent.Ended ended(
      TurnState state, FinishReason reason, AnswerEvent.Failure error) {
    return new AnswerEvent.Ended(
        state,
        reason,
        "openai",
        "gpt",
        "assistant_grounded",
        new Usage(100, 5, 0, 20, 3, false),
        42,
        true,
        new JsonObject().put("id", THREAD.toString()).put("title", "Dinner"),
        error);
  }

  /** One of each. */
  public static List<AnswerEvent> everyKind() {
    return List.of(
        opened(),
        phase(PhaseName.RETRIEVING),
        sources(),
        new AnswerEvent.ModelCalled("openai", "gpt", 400),
        new AnswerEvent.TextStarted(),
        new AnswerEvent.Text("क 🙂 \"quoted\"\n"),
        sources("S1", "S2"),
        failed(GatewayError.Code.PROVIDER_TRUNCATED),
        cancelled(),
        completed());
  }
}
