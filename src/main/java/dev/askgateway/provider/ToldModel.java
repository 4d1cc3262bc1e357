package dev.askgateway.provider;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Consumer;

/** An embedding model that tells what each call used, also of those that failed and reported it. */
record ToldModel(EmbeddingModel calls, String profile, Consumer<EmbeddingUse> told)
    implements EmbeddingModel {

  @Override
  public String name() {
    return calls.name();
  }

  @Override
  public String model() {
    return calls.model();
  }

  @Override
  public Dialect dialect() {
    return calls.dialect();
  }

  @Override
  public int mostTexts() {
    return calls.mostTexts();
  }

  @Override
  public int mostTokens() {
    return calls.mostTokens();
  }

  @Override
  public Future<Embeddings> embed(Request request, Deadlines deadlines) {
    long startNanos = System.nanoTime();
    return calls
        .embed(request, deadlines)
        .onSuccess(made -> tell(made.usage(), startNanos))
        .onFailure(failure -> tell(ProviderFailure.spent(failure), startNanos));
  }

  private void tell(Usage used, long startNanos) {
    if (used.tokens() > 0) {
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      told.accept(new EmbeddingUse(profile, calls.name(), calls.model(), used.capped(), took));
    }
  }
}
