package dev.askgateway.provider;

import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One upstream model that turns texts into vectors. An adapter translates wire formats. */
public interface EmbeddingModel {

  /** The provider's configured name. */
  String name();

  /** The model's id as the provider knows it. */
  String model();

  /** The wire format it speaks, or what it is in this process. */
  Dialect dialect();

  /** Most texts of one call: longer lists are split by the adapter, in order. */
  int mostTexts();

  /** Most tokens of all texts of one call, as the provider has it; callers see to it. */
  default int mostTokens() {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether it may be called: to be asked before anything is held for a call. Fails with {@code MODELS_OFF}
   * while the operator has switched it off.
   */
  default Future<Void> allowed() {
    return Future.succeededFuture();
  }

  /**
   * The vectors of the texts, in their order, on the caller's event loop.
   *
   * @return all of them, or a {@link dev.askgateway.core.GatewayError} whose cause is a {@link
   *     ProviderFailure}: a missing, zero or non-finite vector is a {@code PROTOCOL} failure
   */
  Future<Embeddings> embed(Request request, Deadlines deadlines);

  /** What a text is for; some models treat the two differently. */
  enum Purpose {
    QUERY,
    DOCUMENT
  }

  /**
   * Texts to embed.
   *
   * @param texts at least one, none empty
   * @param dimensions wanted length of the vectors, or null for the model's own
   */
  record Request(
      List<String> texts, Purpose purpose, @Nullable Integer dimensions) {
    public Request {
      texts = List.copyOf(texts);
    }
  }

  /** Vectors as the model gave them, not normalised. */
  record Embeddings(List<float[]> vectors, Usage usage) {
    public Embeddings {
      vectors = List.copyOf(vectors);
    }
  }
}
