package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The embedder of one question")
class OneQuestionTest {
  private static final Usage SEVEN = new Usage(7, 0, 0, 0, 0, false);

  /** Gives what it was told to, and counts. */
  private static final class Answers implements EmbeddingModel {
    private final Deque<Future<Embeddings>> next = new ArrayDeque<>();
    private int calls;

    @Override
    public String name() {
      return "main";
    }

    @Override
    public String model() {
      return "v";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 1;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      calls++;
      return next.isEmpty() ? vector() : next.remove();
    }

    private static Future<Embeddings> vector() {
      return Future.succeededFuture(new Embeddings(List.of(new float[] {2}), SEVEN));
    }
  }

  private final Answers model = new Answers();
  private final List<EmbeddingUse> used = new ArrayList<>();
  private int looks;

  private OneQuestion question() {
    return new OneQuestion(
        () -> {
          looks++;
          return Optional.of(new ModelEmbedder("vectors", 1, model, 1, Deadlines.DEFAULT));
        },
        used::add);
  }

  @Test
  @DisplayName("is chosen once and asked for its vector once, however many searches there are")
  void once() {
    OneQuestion question = question();
    Future<float[]> first = question.get().orElseThrow().query("Where?");
    Future<float[]> again = question.get().orElseThrow().query("Where?");

    assertThat(again.result()).isSameAs(first.result()).containsExactly(1f);
    assertThat(looks).isEqualTo(1);
    assertThat(model.calls).isEqualTo(1);
    assertThat(used).singleElement().satisfies(use -> {
      assertThat(use.usage()).isEqualTo(SEVEN);
      assertThat(use.profile()).isEqualTo("vectors");
      assertThat(use.provider()).isEqualTo("main");
    });
  }

  @Test
  @DisplayName("is asked again after a call that failed, and tells what both used")
  void again() {
    GatewayError broken = ProviderFailure.error(ProviderFailure.Kind.PROTOCOL, "zero", SEVEN);
    model.next.add(Future.failedFuture(broken));
    Embedder embedder = question().get().orElseThrow();

    assertThat(embedder.query("Where?").cause()).isSameAs(broken);
    assertThat(embedder.query("Where?").succeeded()).isTrue();
    assertThat(used).extracting(EmbeddingUse::usage).containsExactly(SEVEN, SEVEN);
  }

  @Test
  @DisplayName("tells nothing of a call that used nothing, or that nobody knows the use of")
  void nothing() {
    model.next.add(
        Future.failedFuture(ProviderFailure.error(ProviderFailure.Kind.UNAVAILABLE, "down")));

    assertThat(question().get().orElseThrow().query("Where?").failed()).isTrue();
    assertThat(used).isEmpty();
  }
}
