package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway that has as many answers open as it has room for")
class FullHouseIT {
  private final Queue<Exchange> held = new ConcurrentLinkedQueue<>();
  private Model model;
  private Node node;
  private Api api;
  private EventStream first;
  private EventStream second;

  @BeforeEach
  void start() {
    model = new Model();
    node = Node.start(
        model.settings("ASK_ADMISSION_MAX_OPEN", "2", "ASK_HTTP_DRAIN_TIMEOUT", "100ms"));
    api = Samples.withBooking(node);
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("She booked"));
      held.add(exchange);
    });
    first = api.stream(Api.question(Samples.QUESTION));
    first.untilText();
    second = api.stream(Api.question(Samples.QUESTION));
    second.untilText();
  }

  @AfterEach
  void stop() {
    node.close();
    model.close();
  }

  private void goOn() {
    for (Exchange exchange = held.poll(); exchange != null; exchange = held.poll()) {
      exchange.chunk(Model.delta(" Casa Nopal [S1].") + Model.STOP + Model.USAGE + Model.DONE);
      exchange.endBody();
    }
  }

  private static long traces(JsonObject question) {
    String id = question.getString("requestId");
    return Data.number(
        "SELECT (SELECT count(*) FROM ask.answer_requests WHERE request_id = ?::uuid)"
            + " + (SELECT count(*) FROM ask.budget_holds WHERE request_id = ?::uuid)",
        id,
        id);
  }

  @Test
  @DisplayName(
      "turns the next away at once, says when to come again, holds no money and asks no model")
  void turnsAway() {
    JsonObject question = Api.question(Samples.QUESTION);
    Reply reply = api.post(Api.ASK, question);

    assertThat(reply.refusal()).isEqualTo("503 overloaded");
    assertThat(Integer.parseInt(reply.header("retry-after"))).isPositive();
    assertThat(traces(question)).isZero();
    assertThat(Data.pendingHolds(api.person())).isEqualTo(2);
    assertThat(model.requests()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "goes on with those that it has, and then answers what it turned away under the same id, once")
  void answersLater() {
    JsonObject question = Api.question(Samples.QUESTION);
    api.post(Api.ASK, question);
    goOn();
    Told one = first.all();
    Told other = second.all();
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);
    Await.until("there is room again", () -> api.post(Api.ASK, question).status() == 200);

    assertThat(one.text()).isEqualTo("She booked Casa Nopal [S1].");
    assertThat(other.text()).isEqualTo(one.text());
    assertThat(api.post(Api.ASK, question).data().getString("answer"))
        .isEqualTo("Casa Nopal [S1].");
    assertThat(model.requests()).isEqualTo(3);
    assertThat(traces(question)).isEqualTo(2);
    assertThat(Data.pendingHolds(api.person())).isZero();
  }
}
