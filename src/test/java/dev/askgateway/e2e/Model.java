package dev.askgateway.e2e;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** An OpenAI-compatible model on a real socket that says what a test tells it to. */
final class Model implements AutoCloseable {
  static final String STOP = finish("stop");
  static final String USAGE = event(new JsonObject()
      .put("choices", new JsonArray())
      .put("usage", new JsonObject().put("prompt_tokens", 120).put("completion_tokens", 30)));
  static final String DONE = "data: [DONE]\n\n";

  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Consumer<Exchange>> script = new AtomicReference<>();
  private final ScriptedProvider provider =
      ScriptedProvider.listen(vertx, exchange -> script.get().accept(exchange));

  /** The settings of a gateway that asks this model; a token in costs 1 micro-USD, one out 2. */
  Map<String, String> settings(String... more) {
    Map<String, String> settings = new HashMap<>(Map.of(
        "OPENAI_BASE_URL", provider.baseUrl(),
        "OPENAI_API_KEY", Words.API_KEY,
        "OPENAI_MODEL", "scripted-1",
        "ASK_PRICES_ID",
            "scripted", // all nodes of one database share its books: theirs is the latest
        "ASK_PRICES_VALID_FROM", "2026-01-02",
        "ASK_MODELS_OPENAI_DEFAULT_PRICE_INPUT", "1000000",
        "ASK_MODELS_OPENAI_DEFAULT_PRICE_OUTPUT", "2000000"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  /** From now on each request gets this. */
  void does(Consumer<Exchange> next) {
    script.set(next);
  }

  /** Answers with these events and a clean end. */
  void says(String... events) {
    does(ScriptedProvider.answer(events));
  }

  /** Answers with these events and then says nothing more. */
  void saysAndWaits(String... events) {
    does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      for (String event : events) {
        exchange.chunk(event);
      }
    });
  }

  static String delta(String text) {
    return event(new JsonObject()
        .put(
            "choices",
            new JsonArray()
                .add(new JsonObject().put("delta", new JsonObject().put("content", text)))));
  }

  static String finish(String reason) {
    return event(new JsonObject()
        .put(
            "choices",
            new JsonArray()
                .add(
                    new JsonObject().put("delta", new JsonObject()).put("finish_reason", reason))));
  }

  private static String event(JsonObject json) {
    return "data: " + json.encode() + "\n\n";
  }

  /** How many requests came so far. */
  int requests() {
    return provider.requests().size();
  }

  /** The newest request's first line and headers. */
  String newestHead() {
    return provider.requests().get(requests() - 1).head();
  }

  /** From now on a request for a plan gets the first, any other one the second. */
  void does(Consumer<Exchange> planning, Consumer<Exchange> answering) {
    does(exchange ->
        (isPlan(provider.requests().get(requests() - 1)) ? planning : answering).accept(exchange));
  }

  /** From now on a request for that model gets the first, any other one the second. */
  void does(String named, Consumer<Exchange> first, Consumer<Exchange> other) {
    does(exchange -> {
      String body = provider.requests().get(requests() - 1).body();
      (new JsonObject(body).getString("model").equals(named) ? first : other).accept(exchange);
    });
  }

  /** The bodies of the requests for a plan so far. */
  List<String> planRequests() {
    return provider.requests().stream()
        .filter(Model::isPlan)
        .map(ScriptedProvider.Request::body)
        .toList();
  }

  private static boolean isPlan(ScriptedProvider.Request request) {
    return request.body().contains("\"query_plan\"");
  }

  /** Returns once the gateway has closed the connection of the newest request. */
  void awaitHangUp() {
    int newest = provider.requests().get(requests() - 1).connection();
    Wait.on(provider.closed(newest));
  }

  Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    Wait.on(vertx.close());
  }
}
