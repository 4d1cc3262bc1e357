package dev.askgateway.answer;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Embedder;
import dev.askgateway.retrieval.route.ContextRouter;
import java.util.Optional;
import java.util.function.Consumer;

/** Where nothing is to be searched. */
enum Unsearched implements Searching {
  INSTANCE;

  @Override
  public Optional<Embedder> embedder() {
    return Optional.empty();
  }

  @Override
  public ContextRouter of(UserId user, String version, Consumer<EmbeddingUse> used) {
    throw new AssertionError("searched");
  }

  @Override
  public void operating(UserId user, EmbeddingUse use) {
    throw new AssertionError("used");
  }
}
