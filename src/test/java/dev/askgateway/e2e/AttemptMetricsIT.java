package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The calls of models that an answer makes")
class AttemptMetricsIT {

  @Test
  @DisplayName("are counted apart from the answer, and one that failed is found in the log")
  void counted() {
    try (Model model = new Model();
        Node node = Node.start(model.settings())) {
      Api api = Samples.withBooking(node);
      Consumer<Exchange> refuses =
          ScriptedProvider.status(500, "", "{\"error\":{\"message\":\"" + Words.API_KEY + "\"}}");
      Consumer<Exchange> answers = ScriptedProvider.answer(
          Model.delta("It is booked [S1]."), Model.STOP, Model.USAGE, Model.DONE);
      AtomicInteger calls = new AtomicInteger();
      model.does(exchange -> (calls.getAndIncrement() == 0 ? refuses : answers).accept(exchange));
      JsonObject question = Api.question(Samples.QUESTION);

      assertThat(api.post(Api.ASK, question).status()).isEqualTo(201);

      assertThat(api.get("/metrics").text())
          .contains("ask_answers_started_total 1.0")
          .contains("ask_completions_started_total{kind=\"chat\"} 0.0")
          .contains("ask_provider_attempts_total{code=\"provider_failed\",provider=\"openai\"} 1.0")
          .contains("ask_provider_attempts_total{code=\"none\",provider=\"openai\"} 1.0")
          .contains("ask_provider_retries_total{provider=\"openai\"} 1.0")
          .contains("ask_provider_first_output_seconds_count{provider=\"openai\"} 1");
      assertThat(node.logs().lines())
          .filteredOn(line -> line.startsWith("model call failed"))
          .singleElement()
          .asString()
          .matches("model call failed: request " + question.getString("requestId")
              + " attempt 1 provider openai model scripted-1 after \\d+ ms: UNAVAILABLE: .*500.*");
    }
  }
}
