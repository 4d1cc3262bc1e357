package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway that is told to stop while it answers")
class DrainIT {
  private final AtomicReference<Exchange> held = new AtomicReference<>();
  private Model model;
  private Node node;
  private Api api;
  private JsonObject question;
  private EventStream stream;

  private void answering(String drainTimeout) {
    node = Node.start(model.settings("ASK_HTTP_DRAIN_TIMEOUT", drainTimeout));
    api = Samples.withBooking(node);
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("She booked"));
      held.set(exchange);
    });
    question = Api.question(Samples.QUESTION);
    stream = api.stream(question);
    stream.untilText();
  }

  @BeforeEach
  void start() {
    model = new Model();
  }

  @AfterEach
  void stop() {
    node.close();
    model.close();
  }

  private boolean isRunning() {
    return Data.number(
            "SELECT count(*) FROM ask.answer_requests WHERE request_id = ?::uuid"
                + " AND status = 'streaming'",
            question.getString("requestId"))
        > 0;
  }

  private boolean takesConnections() {
    try (Socket socket = new Socket("127.0.0.1", node.port())) {
      return socket.isConnected();
    } catch (ConnectException refused) {
      return false;
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  @DisplayName("lets it come to its end, and takes nobody new meanwhile")
  void completes() {
    answering("10s");
    Future<Void> stopped = node.stop();
    Await.until("nothing new is taken", () -> api.isTurnedAway(Api.question(Samples.QUESTION)));
    assertThat(stopped.isComplete()).isFalse();
    held.get().chunk(Model.delta(" Casa Nopal [S1].") + Model.STOP + Model.USAGE + Model.DONE);
    held.get().endBody();
    Told told = stream.all();
    Wait.on(stopped);

    assertThat(takesConnections()).isFalse();
    assertThat(told.text()).isEqualTo("She booked Casa Nopal [S1].");
    assertThat(told.last("data-finish").getString("state")).isEqualTo("completed");
    assertThat(told.types()).endsWith("finish", "data: [DONE]");
    assertThat(isRunning()).isFalse();
    assertThat(Data.pendingHolds(api.person())).isZero();
  }

  @Test
  @DisplayName("interrupts it when it takes too long, and says so to its reader")
  void interrupts() {
    answering("300ms");
    Future<Void> stopped = node.stop();
    Told told = stream.all();
    Wait.on(stopped);
    model.awaitHangUp();

    assertThat(told.text()).isEqualTo("She booked");
    assertThat(told.last("data-error").getString("code")).isEqualTo("interrupted");
    assertThat(told.last("data-error").getBoolean("retryable")).isTrue();
    assertThat(told.types()).endsWith("finish-step", "error", "data: [DONE]");
    assertThat(isRunning()).isFalse();
    assertThat(Data.pendingHolds(api.person())).isZero();
    assertThat(Data.spent(api.person())).isPositive();
  }
}
