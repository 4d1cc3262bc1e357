package dev.askgateway.retrieval;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The embedder of one question, on its event loop: that of the version in service when it is first needed,
 * asked for the vector of a text once, however many searches the question takes (spec A3). A call that
 * failed may be made again.
 */
public final class OneQuestion implements Supplier<Optional<Embedder>> {
  private final Supplier<Optional<Embedder>> searched;
  private final Consumer<EmbeddingUse> used;
  private Optional<Embedder> chosen = Optional.empty();
  private boolean looked;

  /** @param used hears what its calls use */
  public OneQuestion(Supplier<Optional<Embedder>> searched, Consumer<EmbeddingUse> used) {
    this.searched = searched;
    this.used = used;
  }

  @Override
  public Optional<Embedder> get() {
    if (!looked) {
      looked = true;
      chosen = searched.get().map(model -> new Remembering(model.telling(used)));
    }
    return chosen;
  }

  /** Remembers the last text it was asked for. */
  private static final class Remembering implements Embedder {
    private final Embedder model;
    private String text = "";
    private @Nullable Future<float[]> vector;

    private Remembering(Embedder model) {
      this.model = model;
    }

    @Override
    public Future<float[]> query(String question) {
      Future<float[]> known = vector;
      if (known == null || known.failed() || !text.equals(question)) {
        known = model.query(question);
        text = question;
        vector = known;
      }
      return known;
    }

    @Override
    public String profileId() {
      return model.profileId();
    }

    @Override
    public int version() {
      return model.version();
    }

    @Override
    public String model() {
      return model.model();
    }

    @Override
    public int dimensions() {
      return model.dimensions();
    }

    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      return model.passages(texts);
    }
  }
}
