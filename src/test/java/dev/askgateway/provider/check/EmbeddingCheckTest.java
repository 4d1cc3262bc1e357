package dev.askgateway.provider.check;

import static dev.askgateway.provider.check.Result.Status.FAILED;
import static dev.askgateway.provider.check.Result.Status.PASSED;
import static dev.askgateway.provider.check.Result.Status.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class EmbeddingCheckTest {
  /** A model that makes of a request what it is told to. */
  private record Made(Function<Request, Future<Embeddings>> vectors) implements EmbeddingModel {
    @Override
    public String name() {
      return "main";
    }

    @Override
    public String model() {
      return "e";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 8;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      return vectors.apply(request);
    }
  }

  private static Result check(Vertx vertx, int claimed, EmbeddingModel embedder, long totalMillis) {
    Capabilities capabilities =
        new Capabilities(512, 1, false, false, false, false, false, claimed);
    Duration total = Duration.ofMillis(totalMillis);
    List<Result> results = Wait.on(ContractCheck.run(
        vertx,
        embedder,
        new ModelConfig(
            "e", "main", "e", capabilities, ModelConfig.MaxTokensMember.MAX_TOKENS, false),
        new Deadlines(Duration.ofSeconds(1), Duration.ofSeconds(5), total, total, total)));
    assertThat(results).hasSize(1);
    assertThat(results.get(0).name()).isEqualTo("embedding dimensions");
    return results.get(0);
  }

  private static Result check(Vertx vertx, int claimed, float[]... vectors) {
    EmbeddingModel made = new Made(request ->
        Future.succeededFuture(new EmbeddingModel.Embeddings(List.of(vectors), Usage.NONE)));
    return check(vertx, claimed, made, 10_000);
  }

  private static float[] ones(int length) {
    float[] vector = new float[length];
    Arrays.fill(vector, 1);
    return vector;
  }

  @Test
  @DisplayName("vectors of the claimed length pass, others fail with their length")
  void lengths(Vertx vertx) {
    assertThat(check(vertx, 3, ones(3), ones(3)))
        .extracting(Result::status, Result::detail)
        .containsExactly(PASSED, "length 3");
    assertThat(check(vertx, 4, ones(3), ones(3)))
        .extracting(Result::status, Result::detail)
        .containsExactly(FAILED, "length 3 instead of 4");
    assertThat(check(vertx, 2, ones(3), ones(3)).detail()).isEqualTo("length 3 instead of 2");
  }

  @Test
  @DisplayName("too few vectors, uneven ones, zeros and what is no number fail")
  void unusable(Vertx vertx) {
    assertThat(check(vertx, 3, ones(3)).detail()).isEqualTo("1 vectors for 2 texts");
    assertThat(check(vertx, 3, ones(3), ones(2)).status()).isEqualTo(FAILED);
    assertThat(check(vertx, 3, ones(3), new float[3]).detail())
        .isEqualTo("a vector that is zero or not finite");
    assertThat(check(vertx, 3, ones(3), new float[] {1, Float.NaN, 1}).status()).isEqualTo(FAILED);
  }

  @Test
  @DisplayName("a model that cuts its vectors when asked to may claim the shorter length")
  void shortened(Vertx vertx) {
    List<Integer> asked = new ArrayList<>();
    EmbeddingModel made = new Made(request -> {
      asked.add(request.dimensions());
      int length = request.dimensions() == null ? 8 : request.dimensions();
      return Future.succeededFuture(
          new EmbeddingModel.Embeddings(List.of(ones(length), ones(length)), Usage.NONE));
    });
    assertThat(check(vertx, 4, made, 10_000).status()).isEqualTo(PASSED);
    assertThat(asked).containsExactly(null, 4);
  }

  @Test
  @DisplayName("a failure is told by its codes, and one that never comes at the total limit")
  void failures(Vertx vertx) {
    EmbeddingModel refusing =
        new Made(request -> Future.failedFuture(ProviderFailure.error(Kind.ACCOUNT, "status 401")));
    assertThat(check(vertx, 3, refusing, 10_000))
        .extracting(Result::status, Result::detail)
        .containsExactly(FAILED, "provider_failed (ACCOUNT: status 401)");
    EmbeddingModel throwing = new Made(request -> {
      throw new IllegalStateException("SECRET");
    });
    assertThat(check(vertx, 3, throwing, 10_000).detail())
        .isEqualTo("provider_failed (UNAVAILABLE: IllegalStateException)");
    EmbeddingModel silent =
        new Made(request -> Promise.<EmbeddingModel.Embeddings>promise().future());
    assertThat(check(vertx, 3, silent, 100).status()).isEqualTo(FAILED);
  }

  @Test
  @DisplayName("a model that makes no vectors is not asked for any")
  void noVectors(Vertx vertx) {
    EmbeddingModel made = new Made(request -> {
      throw new AssertionError("asked");
    });
    assertThat(check(vertx, 0, made, 10_000).status()).isEqualTo(SKIPPED);
  }
}
