package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("When the reader stops, leaves, comes back or does not read")
class LeavingIT {
  private static final long STILL_NANOS = 300_000_000;

  private static Model model;
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings(
        "ASK_STREAM_GRACE", "1s",
        "ASK_STREAM_WRITE_DEADLINE", "1500ms",
        "ASK_ANSWER_MAX_CHARS", "16777216"));
    api = Samples.withBooking(node);
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  private static void awaitState(String requestId, String state) {
    Await.until(
        "the turn is " + state, () -> api.stored(requestId).getString("status").equals(state));
  }

  @Test
  @DisplayName("Stop ends the model's stream at once; the text so far stays")
  void cancel() {
    model.saysAndWaits(Model.delta("She booked "), Model.delta("Casa " + Words.ANSWER));
    JsonObject question = Api.question(Samples.QUESTION);
    String id = question.getString("requestId");
    EventStream stream = api.stream(question);
    stream.untilText();
    stream.untilText();

    assertThat(api.cancel(id).status()).isIn(200, 202);
    Told told = stream.all();
    model.awaitHangUp();

    assertThat(told.types()).endsWith("finish-step", "abort", "data: [DONE]");
    assertThat(told.last("data-finish").getString("state")).isEqualTo("cancelled");
    JsonObject stored = api.stored(id);
    assertThat(stored.getString("status")).isEqualTo("cancelled");
    assertThat(stored.getJsonObject("turn").getString("content"))
        .isEqualTo("She booked Casa " + Words.ANSWER);
    assertThat(stored.getLong("costMicroUsd")).isPositive();
    assertThat(api.cancel(id).status()).isEqualTo(200);
    assertThat(Data.pendingHolds(api.person())).isZero();
  }

  @Test
  @DisplayName("a reader that does not come back within the grace ends the answer")
  void gone() {
    model.saysAndWaits(Model.delta("She booked"));
    JsonObject question = Api.question(Samples.QUESTION);
    try (EventStream stream = api.stream(question)) {
      stream.untilText();
    }

    model.awaitHangUp();
    awaitState(question.getString("requestId"), "cancelled");
    assertThat(
            api.stored(question.getString("requestId")).getJsonObject("turn").getString("content"))
        .isEqualTo("She booked");
  }

  @Test
  @DisplayName("a reader that comes back in time gets everything from the first event")
  void comesBack() {
    AtomicReference<Exchange> held = new AtomicReference<>();
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("She booked "));
      held.set(exchange);
    });
    JsonObject question = Api.question(Samples.QUESTION);
    try (EventStream stream = api.stream(question)) {
      stream.untilText();
    }
    EventStream again = api.follow(question.getString("requestId"));
    again.untilText();
    held.get().chunk(Model.delta("Casa Nopal [S1]."));
    held.get().chunk(Model.STOP + Model.USAGE + Model.DONE);
    held.get().endBody();
    Told told = again.all();

    assertThat(told.types()).startsWith(": open", "start", "start-step", "data-thread");
    assertThat(told.text()).isEqualTo("She booked Casa Nopal [S1].");
    assertThat(told.last("data-finish").getString("state")).isEqualTo("completed");
    assertThat(told.types()).endsWith("finish", "data: [DONE]");
  }

  @Test
  @DisplayName("a reader that does not read holds the model back, and is given up in time")
  void slow() {
    Pour pour = new Pour(Model.delta("a long answer ".repeat(600)));
    model.does(pour::start);
    JsonObject question = Api.question(Samples.QUESTION);
    String id = question.getString("requestId");
    try (EventStream unread = api.stream(question)) {
      assertThat(unread.status()).isEqualTo(200);
      Await.until("the model can write no more", pour::isStuck);
      assertThat(api.stored(id).getString("status")).isEqualTo("streaming");
      pour.stop();
      model.awaitHangUp();
      awaitState(id, "cancelled");
    }

    assertThat(api.get("/metrics").text()).containsPattern("ask_sse_write_deadline_total 1(\\.0)?");
    assertThat(Data.pendingHolds(api.person())).isZero();
  }

  /** Writes text as fast as the gateway takes it. */
  private static final class Pour {
    private final String piece;
    private volatile long lastTaken = Long.MAX_VALUE;
    private volatile boolean stopped;

    Pour(String piece) {
      this.piece = piece;
    }

    void start(Exchange exchange) {
      exchange.write(ScriptedProvider.HEAD);
      again(exchange);
    }

    private void again(Exchange exchange) {
      if (!stopped) {
        exchange.chunk(piece).onSuccess(taken -> {
          lastTaken = System.nanoTime();
          again(exchange);
        });
      }
    }

    /** Whether a piece has waited to be taken for so long that somebody holds it back. */
    boolean isStuck() {
      return lastTaken != Long.MAX_VALUE && System.nanoTime() - lastTaken > STILL_NANOS;
    }

    void stop() {
      stopped = true;
    }
  }
}
