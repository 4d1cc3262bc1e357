package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel.Embeddings;
import dev.askgateway.provider.EmbeddingModel.Purpose;
import dev.askgateway.provider.EmbeddingModel.Request;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class GeminiEmbeddingTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static GeminiEmbedding model(Vertx vertx, ScriptedProvider upstream) {
    return new GeminiEmbedding(
        CLIENTS.open(vertx, ClientLimits.DEFAULT),
        ProviderConfig.of(
            "google", Dialect.GEMINI, upstream.baseUrl(), "AIza-secret", KeyHeader.X_GOOG_API_KEY),
        ModelConfig.of("google", "embed-x"));
  }

  private static Embeddings embed(Vertx vertx, ScriptedProvider upstream, Request request) {
    GeminiEmbedding model = model(vertx, upstream);
    return Wait.onLoop(vertx, () -> model.embed(request, Deadlines.DEFAULT));
  }

  private static Consumer<Exchange> ok(String body) {
    return ScriptedProvider.status(200, "Content-Type: application/json\r\n", body);
  }

  private static Request documents(int count, Integer dimensions) {
    return new Request(
        IntStream.range(0, count).mapToObj(i -> "text " + i).toList(),
        Purpose.DOCUMENT,
        dimensions);
  }

  private static String vectors(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "{\"values\":[" + i + ",1]}")
        .collect(Collectors.joining(",", "{\"embeddings\":[", "]}"));
  }

  @Test
  @DisplayName("one text has an operation of its own, with the key in a header and usage estimated")
  void single(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ok("{\"embedding\":{\"values\":[0.5,-1e-3]}}"));
    Embeddings found = embed(vertx, upstream, new Request(List.of("Who came?"), Purpose.QUERY, 2));
    assertThat(found.vectors()).hasSize(1);
    assertThat(found.vectors().get(0)).containsExactly(0.5f, -0.001f);
    assertThat(found.usage()).isEqualTo(Usage.estimate(9, 0));
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head())
        .startsWith("POST /v1/models/embed-x:embedContent HTTP/1.1")
        .containsIgnoringCase("x-goog-api-key: AIza-secret");
    assertThat(new JsonObject(request.body()))
        .isEqualTo(new JsonObject("{\"model\":\"models/embed-x\",\"content\":{\"parts\":[{\"text\":"
            + "\"Who came?\"}]},\"taskType\":\"RETRIEVAL_QUERY\",\"outputDimensionality\":2}"));
  }

  @Test
  @DisplayName("several texts go a hundred at a time, and all vectors come back in order")
  void batches(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            ok(vectors(0, 100)),
            ok(vectors(100, 200)),
            ok("{\"embedding\":{\"values\":[200,1]},\"usageMetadata\":{\"promptTokenCount\":3}}")));
    Embeddings found = embed(vertx, upstream, documents(201, null));
    assertThat(found.vectors()).hasSize(201);
    for (int i = 0; i < 201; i++) {
      assertThat(found.vectors().get(i)).containsExactly(i, 1);
    }
    long chars = IntStream.range(0, 100).mapToLong(i -> ("text " + i).length()).sum();
    assertThat(found.usage())
        .isEqualTo(new Usage(Usage.tokens(chars) + Usage.tokens(800) + 3, 0, 0, 0, 0, true));
    assertThat(upstream.requests())
        .extracting(request -> request.head().lines().findFirst().orElseThrow())
        .containsExactly(
            "POST /v1/models/embed-x:batchEmbedContents HTTP/1.1",
            "POST /v1/models/embed-x:batchEmbedContents HTTP/1.1",
            "POST /v1/models/embed-x:embedContent HTTP/1.1");
    JsonObject first = new JsonObject(upstream.requests().get(0).body());
    assertThat(first.getJsonArray("requests")).hasSize(100);
    assertThat(first.getJsonArray("requests").getJsonObject(7))
        .isEqualTo(new JsonObject("{\"model\":\"models/embed-x\",\"content\":{\"parts\":[{\"text\":"
            + "\"text 7\"}]},\"taskType\":\"RETRIEVAL_DOCUMENT\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"embeddings\":[{\"values\":[1,2]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,2]},{\"values\":[1,2]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,2,3]}]}",
        "{\"embeddings\":[{\"values\":[1]},{\"values\":[1]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[0,0]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,null]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,\"2\"]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,NaN]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,1e39]}]}",
        "{\"embeddings\":[{\"values\":[1,2]},null]}",
        "{\"embedding\":{\"values\":[1,2]}}"
      })
  @DisplayName("anything but one good vector for each text is a broken protocol")
  void broken(String body, Vertx vertx) {
    assertFailed(vertx, ok(body), documents(2, 2), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("vectors of different lengths are refused when no length was asked for, too")
  void unequal(Vertx vertx) {
    assertFailed(
        vertx,
        ok("{\"embeddings\":[{\"values\":[1,2]},{\"values\":[1,2,3]}]}"),
        documents(2, null),
        Kind.PROTOCOL);
  }

  @Test
  @DisplayName("an error is sorted whichever status it comes with")
  void errors(Vertx vertx) {
    String error = "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}";
    assertFailed(
        vertx, ScriptedProvider.status(429, "", error), documents(1, 2), Kind.RATE_LIMITED);
    assertFailed(vertx, ok(error), documents(1, 2), Kind.RATE_LIMITED);
  }

  private static void assertFailed(
      Vertx vertx, Consumer<Exchange> script, Request request, Kind kind) {
    try {
      embed(vertx, ScriptedProvider.listen(vertx, script), request);
    } catch (GatewayError error) {
      assertThat(ProviderFailure.kindOf(error)).isEqualTo(kind);
      return;
    }
    throw new AssertionError("no failure");
  }
}
