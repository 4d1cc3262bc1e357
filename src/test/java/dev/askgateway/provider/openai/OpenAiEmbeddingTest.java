package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class OpenAiEmbeddingTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static Request texts(String... texts) {
    return new Request(List.of(texts), Purpose.DOCUMENT, null);
  }

  private static Embeddings embed(Vertx vertx, ScriptedProvider upstream, Request request) {
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    ProviderConfig provider = ProviderConfig.of(
        "p", Dialect.OPENAI, upstream.baseUrl(), "secret", ProviderConfig.KeyHeader.API_KEY);
    OpenAiEmbedding model = new OpenAiEmbedding(client, provider, ModelConfig.of("p", "embed-1"));
    return Wait.onLoop(vertx, () -> model.embed(request, Deadlines.DEFAULT));
  }

  private static Embeddings embed(Vertx vertx, String body, Request request) {
    return embed(
        vertx, ScriptedProvider.listen(vertx, ScriptedProvider.status(200, "", body)), request);
  }

  private static void assertFails(Vertx vertx, String body, Request request, Kind kind) {
    assertThatThrownBy(() -> embed(vertx, body, request))
        .isInstanceOfSatisfying(GatewayError.class, error -> {
          assertThat(ProviderFailure.kindOf(error)).isEqualTo(kind);
          assertThat(error.message() + error.getCause()).doesNotContain("private");
        });
  }

  @Test
  @DisplayName("texts go out in one request and come back in their order, with the reported usage")
  void inOrder(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        ScriptedProvider.status(
            200,
            "",
            "{\"object\":\"list\",\"data\":[{\"index\":1,\"embedding\":[0.5,-2e-3]},"
                + "{\"embedding\":[1,0],\"object\":\"embedding\",\"index\":0}],"
                + "\"usage\":{\"prompt_tokens\":7,\"total_tokens\":7}}"));
    Embeddings embeddings =
        embed(vertx, upstream, new Request(List.of("one", "two"), Purpose.QUERY, 2));
    assertThat(embeddings.vectors())
        .usingElementComparator((a, b) -> java.util.Arrays.compare(a, b))
        .containsExactly(new float[] {1, 0}, new float[] {0.5f, -0.002f});
    assertThat(embeddings.usage()).isEqualTo(new Usage(7, 0, 0, 0, 0, false));
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head())
        .startsWith("POST /v1/embeddings HTTP/1.1")
        .containsIgnoringCase("api-key: secret");
    assertThat(new JsonObject(request.body()))
        .isEqualTo(new JsonObject("{\"model\":\"embed-1\",\"input\":[\"one\",\"two\"],"
            + "\"encoding_format\":\"float\",\"dimensions\":2}"));
  }

  @Test
  @DisplayName("without an index the order received counts, without usage it is estimated")
  void bareResponse(Vertx vertx) {
    Embeddings embeddings = embed(
        vertx,
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[2]}],\"usage\":null}",
        texts("abcd", "efgh"));
    assertThat(embeddings.vectors()).extracting(vector -> vector[0]).containsExactly(1f, 2f);
    assertThat(embeddings.usage()).isEqualTo(Usage.estimate(8, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":[{\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[0]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1,2]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1e99]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[NaN]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[null]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":\"AACAPw==\"}]}",
        "{\"data\":[{\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"index\":2,\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"index\":-1,\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1]},{\"embedding\":[1]}]}",
        "{\"data\":null}",
        "[]",
        "",
        "private",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1]}"
      })
  @DisplayName("a vector that is missing, zero, not finite, misplaced or misshapen fails the call")
  void broken(String body, Vertx vertx) {
    assertFails(vertx, body, texts("one", "two"), Kind.PROTOCOL);
  }

  @Test
  @DisplayName("vectors of another length than asked for fail the call")
  void otherLength(Vertx vertx) {
    Request request = new Request(List.of("one"), Purpose.QUERY, 2);
    assertFails(vertx, "{\"data\":[{\"embedding\":[1]}]}", request, Kind.PROTOCOL);
  }

  @ParameterizedTest
  @CsvSource({"429,RATE_LIMITED", "401,ACCOUNT", "400,REFUSED", "500,UNAVAILABLE"})
  @DisplayName("a refusal is sorted by status, also inside a 200, and its text stays out")
  void refusals(int status, Kind kind, Vertx vertx) {
    String body = "{\"error\":{\"message\":\"private\",\"code\":" + status + "}}";
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.status(status, "", body));
    assertThatThrownBy(() -> embed(vertx, upstream, texts("one")))
        .isInstanceOfSatisfying(GatewayError.class, error -> {
          assertThat(ProviderFailure.kindOf(error)).isEqualTo(kind);
          assertThat(error.message() + error.getCause()).doesNotContain("private");
        });
    assertFails(vertx, body, texts("one"), kind == Kind.REFUSED ? Kind.REFUSED_LATE : kind);
  }

  @Test
  @DisplayName(
      "more texts than a call may hold go out in several calls, in order; large bodies too")
  void split(Vertx vertx) {
    List<String> texts = Collections.nCopies(2_049, "text");
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            ScriptedProvider.status(200, "", response(2_048, 1)),
            ScriptedProvider.status(200, "", response(1, 5_000))));
    Embeddings embeddings = embed(vertx, upstream, new Request(texts, Purpose.DOCUMENT, null));
    assertThat(upstream.requests())
        .extracting(
            request -> new JsonObject(request.body()).getJsonArray("input").size())
        .containsExactly(2_048, 1);
    assertThat(embeddings.vectors()).hasSize(2_049);
    for (int i = 0; i < 2_048; i++) {
      assertThat(embeddings.vectors().get(i)[0]).isEqualTo(i + 1f);
    }
    assertThat(embeddings.vectors().get(2_048)[0]).isEqualTo(5_000f);
    assertThat(embeddings.usage()).isEqualTo(new Usage(2_049, 0, 0, 0, 0, false));
  }

  /** So many vectors that begin with a count, in any order, over 64 KiB when there are many. */
  private static String response(int vectors, int first) {
    List<JsonObject> data = new java.util.ArrayList<>();
    for (int i = 0; i < vectors; i++) {
      data.add(new JsonObject()
          .put("index", i)
          .put("embedding", new JsonArray().add(first + i).add(0.012345678901234567)));
    }
    Collections.shuffle(data, new Random(1));
    return new JsonObject()
        .put("data", new JsonArray(data))
        .put("usage", new JsonObject().put("prompt_tokens", vectors))
        .encode();
  }
}
