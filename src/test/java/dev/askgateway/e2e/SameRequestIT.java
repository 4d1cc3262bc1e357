package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One request id on two gateways")
class SameRequestIT {
  private static Model model;
  private static Node one;
  private static Node two;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    one = Node.start(model.settings());
    two = Node.start(model.settings());
    api = Samples.withBooking(one);
  }

  @AfterAll
  static void stop() {
    two.close();
    one.close();
    model.close();
  }

  @Test
  @DisplayName("posted fifty times at once is one call of the model and fifty equal answers")
  void fifty() {
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("Casa Nopal "));
      model.vertx().setTimer(300, later -> {
        exchange.chunk(
            Model.delta(Words.ANSWER + " [S1].") + Model.STOP + Model.USAGE + Model.DONE);
        exchange.endBody();
      });
    });
    int before = model.requests();
    long spent = Data.spent(api.person());
    JsonObject question = Api.question(Samples.QUESTION);
    List<CompletableFuture<Reply>> posts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Node node = i % 2 == 0 ? one : two;
      posts.add(node.as(api.person()).postSoon(Api.ASK, question));
    }
    Set<JsonObject> answers =
        posts.stream().map(post -> post.join().data()).collect(Collectors.toSet());

    assertThat(answers).hasSize(1);
    JsonObject answer = answers.iterator().next();
    assertThat(answer.getString("answer")).isEqualTo("Casa Nopal " + Words.ANSWER + " [S1].");
    assertThat(model.requests()).isEqualTo(before + 1);
    assertThat(Data.spent(api.person()) - spent).isEqualTo(answer.getLong("costMicroUsd"));
    assertThat(Data.number(
            "SELECT count(*) FROM ask.conversation_assistant_turns WHERE request_id = ?::uuid",
            question.getString("requestId")))
        .isEqualTo(2);
  }

  @Test
  @DisplayName("the other gateway follows an answer that runs, and can stop it")
  void elsewhere() {
    model.saysAndWaits(Model.delta("Casa Nopal "));
    JsonObject question = Api.question(Samples.QUESTION);
    String id = question.getString("requestId");
    EventStream here = one.as(api.person()).stream(question);
    here.untilText();
    EventStream there = two.as(api.person()).follow(id);
    there.untilText();

    assertThat(two.as(api.person()).cancel(id).status()).isIn(200, 202);
    model.awaitHangUp();
    Told told = here.all();
    Told followed = there.all();
    assertThat(told.last("data-finish").getString("state")).isEqualTo("cancelled");
    assertThat(followed.types()).isEqualTo(told.types());
    assertThat(followed.text()).isEqualTo(told.text());
  }

  @Test
  @DisplayName("with another question is refused everywhere")
  void conflict() {
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);
    JsonObject question = Api.question(Samples.QUESTION);
    api.post(Api.ASK, question).data();
    JsonObject other = question.copy().put("question", "Something else?");
    assertThat(api.post(Api.ASK, other).refusal()).isEqualTo("409 request_conflict");
    assertThat(two.as(api.person()).post(Api.ASK, other).refusal())
        .isEqualTo("409 request_conflict");
  }
}
