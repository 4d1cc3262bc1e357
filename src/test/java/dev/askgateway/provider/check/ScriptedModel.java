package dev.askgateway.provider.check;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An upstream on a real socket that knows which of the check's questions it is asked. */
final class ScriptedModel {
  enum Question {
    LONG,
    STRUCTURED,
    TOOL,
    TOO_LONG
  }

  private final Map<Question, Consumer<Exchange>> scripts;
  private final CompletableFuture<ScriptedProvider> upstream = new CompletableFuture<>();

  private ScriptedModel(Map<Question, Consumer<Exchange>> scripts) {
    this.scripts = scripts;
  }

  /** Answers by these scripts, one of which is another than the good ones. */
  static ScriptedProvider listen(
      Vertx vertx,
      Map<Question, Consumer<Exchange>> good,
      Map<Question, Consumer<Exchange>> others) {
    Map<Question, Consumer<Exchange>> scripts = new EnumMap<>(good);
    scripts.putAll(others);
    ScriptedModel model = new ScriptedModel(scripts);
    model.upstream.complete(ScriptedProvider.listen(vertx, model::answer));
    return model.upstream.join();
  }

  private void answer(Exchange exchange) {
    List<ScriptedProvider.Request> requests = upstream.join().requests();
    scripts.get(question(requests.get(requests.size() - 1).body())).accept(exchange);
  }

  private static Question question(String body) {
    if (body.contains("numbers from 1")) {
      return Question.LONG;
    }
    if (body.contains("capital of France")) {
      return Question.STRUCTURED;
    }
    return body.contains(Questions.TOOL) ? Question.TOOL : Question.TOO_LONG;
  }
}
