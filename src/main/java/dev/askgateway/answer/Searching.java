package dev.askgateway.answer;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Embedder;
import dev.askgateway.retrieval.route.ContextRouter;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How questions are searched. */
public interface Searching {

  /** The model of the vectors that a question is compared with now; empty: it is searched by words only. */
  Optional<Embedder> embedder();

  /**
   * The search of one question.
   *
   * @param version of retrieval, or null for the configured one
   * @param used hears what is used for the question's vector, on the question's loop
   */
  ContextRouter of(UserId user, @Nullable String version, Consumer<EmbeddingUse> used);

  /** Notes a call that the operator makes for a person, and nobody pays for. Does not fail. */
  void operating(UserId user, EmbeddingUse use);
}
