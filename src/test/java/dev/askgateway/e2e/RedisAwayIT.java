package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Without Redis")
class RedisAwayIT {
  private static Model model;
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings());
    api = Samples.withBooking(node);
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  private static String ready() {
    Reply reply = api.get("/health/ready");
    return reply.status() + " " + reply.json().getString("status");
  }

  @Test
  @DisplayName("the gateway is degraded, says so, answers all the same, and recovers")
  void degraded() {
    assumeThat(System.getenv("REDIS_URL"))
        .as("a Redis of our own, to be stopped")
        .isNull();
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);
    assertThat(ready()).isEqualTo("200 up");
    DevServices.shared().stopRedis();
    try {
      assertThat(ready()).isEqualTo("200 degraded");
      JsonObject question = Api.question(Samples.QUESTION);
      Told told = api.stream(question).all();
      assertThat(told.last("data-finish").getString("state")).isEqualTo("completed");
      assertThat(told.text()).isEqualTo("Casa Nopal [S1].");
      assertThat(api.post(Api.ASK, question).data().getString("answer")).isEqualTo(told.text());
      assertThat(model.requests()).isEqualTo(1);
      assertThat(Data.spent(api.person()))
          .isEqualTo(told.last("data-finish").getLong("costMicroUsd"));
      stopStillWorks();
    } finally {
      DevServices.shared().startRedis();
    }
    Await.until("it has recovered", () -> ready().equals("200 up"));
    assertThat(api.ask(Samples.QUESTION).getString("answer")).isEqualTo("Casa Nopal [S1].");
  }

  private static void stopStillWorks() {
    model.saysAndWaits(Model.delta("Casa"));
    JsonObject question = Api.question(Samples.QUESTION);
    EventStream stream = api.stream(question);
    stream.untilText();
    api.cancel(question.getString("requestId"));
    assertThat(stream.all().last("data-finish").getString("state")).isEqualTo("cancelled");
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);
  }
}
