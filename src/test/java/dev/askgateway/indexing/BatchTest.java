package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Embedder;
import dev.askgateway.store.IndexRepository.Embedded;
import dev.askgateway.store.IndexRepository.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Vertx VERTX = Vertx.vertx();

  private final FakeEmbedder embedder = FakeEmbedder.open();

  private static List<Waiting> texts(String... texts) {
    return Stream.of(texts)
        .map(text -> new Waiting(
            UUID.nameUUIDFromBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            Buffer.buffer(text),
            text,
            0))
        .toList();
  }

  @AfterAll
  static void close() {
    VERTX.close().await();
  }

  private static Batch batch(Embedder embedder, String... texts) {
    var calls =
        new EmbeddingCalls(VERTX, VERTX.getOrCreateContext(), embedder, IndexingConfig.DEFAULT);
    return new Batch(calls, texts(texts), used -> {});
  }

  private Batch.Result embed(boolean suspicious, String... texts) {
    return batch(embedder, texts).embed(suspicious).await();
  }

  @Test
  @DisplayName("a good batch is one call, and each text has its own vector")
  void oneCall() {
    var result = embed(false, "a", "b", "c");

    assertThat(embedder.calls).containsExactly(List.of("a", "b", "c"));
    assertThat(result.embedded())
        .extracting(Embedded::contentHash)
        .containsExactly(Buffer.buffer("a"), Buffer.buffer("b"), Buffer.buffer("c"));
    assertThat(result.embedded().get(1).vector()).isEqualTo(FakeEmbedder.vectorOf("b"));
    assertThat(result.refused()).isEmpty();
    assertThat(result.outage()).isNull();
  }

  @Test
  @DisplayName("a refused text costs only itself")
  void badText() {
    embedder.gate = FakeEmbedder.refusing("bad", GatewayError.Code.CONTEXT_TOO_LARGE);

    var result = embed(false, "a", "bad", "c");

    assertThat(result.embedded()).hasSize(2);
    assertThat(result.refused()).extracting(one -> one.text().text()).containsExactly("bad");
    assertThat(result.outage()).isNull();
  }

  @Test
  @DisplayName("the first failure of the provider is an outage after one call")
  void firstOutage() {
    embedder.gate = FakeEmbedder.refusing("", GatewayError.Code.OVERLOADED);

    var result = embed(false, "a", "b");

    assertThat(embedder.calls).hasSize(1);
    assertThat(result.refused()).isEmpty();
    assertThat(result.outage()).isInstanceOf(GatewayError.class);
  }

  @Test
  @DisplayName("an outage that goes on blames nobody and does not try every text")
  void longOutage() {
    embedder.gate = FakeEmbedder.refusing("", GatewayError.Code.PROVIDER_FAILED);

    var result = embed(true, "a", "b", "c", "d", "e", "f");

    assertThat(embedder.calls).hasSize(5);
    assertThat(result.embedded()).isEmpty();
    assertThat(result.refused()).isEmpty();
    assertThat(result.outage()).isNotNull();
  }

  @Test
  @DisplayName("an outage in the middle keeps what was embedded and blames nobody")
  void outageInTheMiddle() {
    embedder.gate = texts -> embedder.calls.size() == 2
        ? Future.succeededFuture()
        : Future.failedFuture(new GatewayError(GatewayError.Code.PROVIDER_TIMEOUT, "slow"));

    var result = embed(true, "a", "b", "c");

    assertThat(result.embedded()).hasSize(1);
    assertThat(result.refused()).isEmpty();
    assertThat(result.outage()).isNotNull();
  }

  @Test
  @DisplayName("a lone text is blamed for the provider's failure once the provider serves another")
  void loneText() {
    embedder.gate = FakeEmbedder.refusing("bad", GatewayError.Code.PROVIDER_FAILED);

    assertThat(embed(false, "bad").outage()).isNotNull();
    var result = embed(true, "bad");

    assertThat(result.outage()).isNull();
    assertThat(result.refused()).hasSize(1);
  }

  @Test
  @DisplayName(
      "a vector without direction, with NaN or of a wrong length is refused like a bad text")
  void brokenVectors() {
    for (float[] broken :
        List.of(new float[8], new float[] {1}, new float[] {Float.NaN, 0, 0, 0, 0, 0, 0, 0})) {
      var odd = new OddEmbedder(embedder, broken);

      var result = batch(odd, "fine", "odd").embed(false).await();

      assertThat(result.embedded()).hasSize(1);
      assertThat(result.refused()).extracting(one -> one.text().text()).containsExactly("odd");
    }
  }

  /** Gives one text a vector that no table and no search can bear. */
  private record OddEmbedder(
      FakeEmbedder real,
      @SuppressWarnings("ArrayRecordComponent") float[] broken) implements Embedder {
    @Override
    public String profileId() {
      return real.profileId();
    }

    @Override
    public int version() {
      return real.version();
    }

    @Override
    public String model() {
      return real.model();
    }

    @Override
    public int dimensions() {
      return real.dimensions();
    }

    @Override
    public Future<float[]> query(String question) {
      return real.query(question);
    }

    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      return Future.succeededFuture(texts.stream()
          .map(text -> text.equals("odd") ? broken : FakeEmbedder.vectorOf(text))
          .toList());
    }
  }
}
