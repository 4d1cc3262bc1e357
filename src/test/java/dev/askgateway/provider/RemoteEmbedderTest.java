package dev.askgateway.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RemoteEmbedderTest {

  /** A model of batches of two that says what it is told to. */
  private static final class FakeModel implements EmbeddingModel {
    private final List<Request> requests = new ArrayList<>();
    private final Function<Request, List<float[]>> vectors;

    private FakeModel(Function<Request, List<float[]>> vectors) {
      this.vectors = vectors;
    }

    @Override
    public String name() {
      return "google";
    }

    @Override
    public String model() {
      return "gemini-embedding-001";
    }

    @Override
    public int mostTexts() {
      return 2;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      requests.add(request);
      return Future.succeededFuture(new Embeddings(vectors.apply(request), Usage.NONE));
    }
  }

  private static RemoteEmbedder embedder(FakeModel model, boolean asksDimensions) {
    return new RemoteEmbedder(
        model,
        new RemoteEmbedder.VectorProfile("gemini-2", 3, 2, asksDimensions),
        Deadlines.DEFAULT);
  }

  /** Each text is a number, its vector points that many to the right and one up. */
  private static List<float[]> numbers(EmbeddingModel.Request request) {
    return request.texts().stream()
        .map(text -> new float[] {Float.parseFloat(text), 1})
        .toList();
  }

  @Test
  @DisplayName("says what its vectors are stored under")
  void names() {
    RemoteEmbedder embedder = embedder(new FakeModel(RemoteEmbedderTest::numbers), true);
    assertThat(embedder.profileId()).isEqualTo("gemini-2");
    assertThat(embedder.version()).isEqualTo(3);
    assertThat(embedder.dimensions()).isEqualTo(2);
    assertThat(embedder.model()).isEqualTo("google:gemini-embedding-001");
  }

  @Test
  @DisplayName("a question is embedded as one, and its vector has length 1")
  void query() {
    FakeModel model = new FakeModel(request -> List.of(new float[] {3, 4}));
    assertThat(Wait.on(embedder(model, true).query("Who?"))).containsExactly(0.6f, 0.8f);
    assertThat(model.requests)
        .containsExactly(
            new EmbeddingModel.Request(List.of("Who?"), EmbeddingModel.Purpose.QUERY, 2));
  }

  @Test
  @DisplayName("passages go in batches as large as the model takes, and come back in their order")
  void passages() {
    FakeModel model = new FakeModel(RemoteEmbedderTest::numbers);
    List<String> texts = IntStream.range(0, 5).mapToObj(String::valueOf).toList();
    List<float[]> vectors = Wait.on(embedder(model, false).passages(texts));
    assertThat(vectors).hasSize(5);
    for (int i = 0; i < 5; i++) {
      assertThat(vectors.get(i)[0] / vectors.get(i)[1]).isCloseTo(i, within(1e-5f));
      assertThat(Math.hypot(vectors.get(i)[0], vectors.get(i)[1])).isCloseTo(1, within(1e-6));
    }
    assertThat(model.requests)
        .extracting(EmbeddingModel.Request::texts)
        .containsExactly(List.of("0", "1"), List.of("2", "3"), List.of("4"));
    assertThat(model.requests).allSatisfy(request -> {
      assertThat(request.purpose()).isEqualTo(EmbeddingModel.Purpose.DOCUMENT);
      assertThat(request.dimensions()).isNull();
    });
  }

  @Test
  @DisplayName("no passages are no call")
  void nothing() {
    FakeModel model = new FakeModel(RemoteEmbedderTest::numbers);
    assertThat(Wait.on(embedder(model, true).passages(List.of()))).isEmpty();
    assertThat(model.requests).isEmpty();
  }

  static List<List<float[]>> broken() {
    return List.of(
        List.of(),
        List.of(new float[] {1, 0}, new float[] {1, 0}),
        List.of(new float[] {1}),
        List.of(new float[] {1, 0, 0}),
        List.of(new float[] {0, 0}),
        List.of(new float[] {1, Float.NaN}),
        List.of(new float[] {1, Float.POSITIVE_INFINITY}));
  }

  @ParameterizedTest
  @MethodSource("broken")
  @DisplayName(
      "vectors that are too few, too many, of another length or of no direction are refused")
  void refused(List<float[]> vectors) {
    RemoteEmbedder embedder = embedder(new FakeModel(request -> vectors), true);
    assertThatThrownBy(() -> Wait.on(embedder.query("Who?")))
        .isInstanceOfSatisfying(
            GatewayError.class,
            error -> assertThat(ProviderFailure.kindOf(error)).isEqualTo(Kind.PROTOCOL));
  }

  @Test
  @DisplayName("a profile that makes no sense is refused")
  void profile() {
    assertThatThrownBy(() -> new RemoteEmbedder.VectorProfile("Gemini", 1, 2, true))
        .hasMessageContaining("embedding.profile");
    assertThatThrownBy(() -> new RemoteEmbedder.VectorProfile("g", 0, 2, true))
        .hasMessageContaining("embedding.g.version");
    assertThatThrownBy(() -> new RemoteEmbedder.VectorProfile("g", 1, 0, true))
        .hasMessageContaining("embedding.g.dimensions");
  }
}
