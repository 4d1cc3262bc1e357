package dev.askgateway.e2e;

import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An embeddings server in OpenAI's format, over real HTTP, that counts. Its models are called {@code
 * words-N}: bags of words as vectors of N numbers.
 */
final class EmbeddingServer implements AutoCloseable {
  static final String OLD = "words-64";
  static final String NEW = "words-32";

  /** The texts of one request, and which model they were for. */
  record Call(String model, List<String> texts) {}

  private final Vertx vertx;
  private final HttpServer server;
  private final long millis;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  /** @param millis how long each request takes */
  EmbeddingServer(Vertx vertx, long millis) {
    this.vertx = vertx;
    this.millis = millis;
    server = vertx.createHttpServer().requestHandler(this::answer);
    Wait.on(server.listen(0, "127.0.0.1"));
  }

  List<Call> calls() {
    return calls;
  }

  /** How often a text came for a model. */
  int count(String model, String text) {
    return counts.getOrDefault(model + " " + text, 0);
  }

  /** Every text of a model that came, with how often. */
  Map<String, Integer> counts() {
    return counts;
  }

  /** The model that the last question was embedded with: a question is not labelled as messages are. */
  String lastQuestionModel() {
    return calls.stream()
        .filter(call -> call.texts().size() == 1 && !call.texts().get(0).startsWith("Platform: "))
        .reduce((first, second) -> second)
        .map(Call::model)
        .orElse("none");
  }

  /**
   * Settings of a gateway that has these models of this server, the first as that of its index.
   *
   * @param folder where the file goes that names them
   */
  Map<String, String> settings(Path folder, String... models) throws IOException {
    StringBuilder yaml = new StringBuilder("models:\n");
    for (String model : models) {
      yaml.append("  ").append(model).append(": {provider: openai, model: ").append(model);
      yaml.append(", embeddingDimensions: ").append(dimensions(model)).append("}\n");
    }
    yaml.append("profiles:\n  embedding_messages: {models: [").append(models[0]).append("]}\n");
    if (models.length > 1) {
      yaml.append("  embedding_messages_next: {models: [").append(models[1]).append("]}\n");
    }
    Path file = Files.writeString(folder.resolve("models-" + models.length + ".yaml"), yaml);
    Map<String, String> settings = new HashMap<>();
    settings.put("GATEWAY_CONFIG", file.toString());
    settings.put("OPENAI_BASE_URL", "http://127.0.0.1:" + server.actualPort() + "/v1");
    settings.put("OPENAI_API_KEY", Words.API_KEY);
    settings.put("OPENAI_MODEL", "scripted-1");
    settings.put("ASK_PROFILES_ASSISTANT_GROUNDED_MODELS", "quote");
    settings.put("ASK_INDEXING_POLL_INTERVAL", "100ms");
    settings.put("ASK_INDEXING_VERSION_INTERVAL", "100ms");
    return settings;
  }

  private void answer(HttpServerRequest request) {
    request.body().onSuccess(body -> {
      JsonObject asked = body.toJsonObject();
      String model = asked.getString("model");
      List<String> texts =
          asked.getJsonArray("input").stream().map(String::valueOf).toList();
      calls.add(new Call(model, texts));
      texts.forEach(text -> counts.merge(model + " " + text, 1, Integer::sum));
      vertx.setTimer(Math.max(1, millis), later -> request
          .response()
          .putHeader("Content-Type", "application/json")
          .end(answer(model, texts).toBuffer()));
    });
  }

  private static JsonObject answer(String model, List<String> texts) {
    JsonArray data = new JsonArray();
    for (int i = 0; i < texts.size(); i++) {
      data.add(new JsonObject()
          .put("object", "embedding")
          .put("index", i)
          .put("embedding", vector(texts.get(i), dimensions(model))));
    }
    return new JsonObject()
        .put("object", "list")
        .put("data", data)
        .put("model", model)
        .put("usage", new JsonObject().put("prompt_tokens", texts.size()).put("total_tokens", 1));
  }

  private static JsonArray vector(String text, int dimensions) {
    double[] bag = new double[dimensions];
    bag[0] = 0.1;
    for (String word : text.toLowerCase(java.util.Locale.ROOT).split("\\W+")) {
      bag[Math.floorMod(word.hashCode(), dimensions)] += 1;
    }
    JsonArray vector = new JsonArray();
    for (double value : bag) {
      vector.add(value);
    }
    return vector;
  }

  private static int dimensions(String model) {
    return Integer.parseInt(model.substring(model.lastIndexOf('-') + 1));
  }

  @Override
  public void close() {
    Wait.on(server.close());
  }
}
