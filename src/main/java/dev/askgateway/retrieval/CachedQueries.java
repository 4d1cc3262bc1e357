package dev.askgateway.retrieval;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.QueryVectors;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.text.Normalizer;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The embedder of one person's questions, who may have asked the same a moment ago. The model is asked
 * for the normalised question, so that it makes no difference whether the vector was known.
 */
public final class CachedQueries implements Embedder {
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** How far the square of a vector's length may be from 1 by rounding. */
  private static final double ABOUT = 0.01;

  /** What a look for a vector came to. */
  public enum Look {
    HIT,
    MISS,
    /** Not told in time. */
    UNAVAILABLE
  }

  private final Embedder model;
  private final QueryVectors known;
  private final UserId user;
  private final Consumer<Look> looked;

  /** @param looked hears of each look; on the asker's thread */
  public CachedQueries(Embedder model, QueryVectors known, UserId user, Consumer<Look> looked) {
    this.model = model;
    this.known = known;
    this.user = user;
    this.looked = looked;
  }

  @Override
  public Future<float[]> query(String question) {
    String text = normal(question);
    QueryVectors.Key key = new QueryVectors.Key(model.profileId(), model.version(), text);
    return known.find(user, key).transform(found -> {
      if (found.failed()) {
        looked.accept(Look.UNAVAILABLE);
        return model.query(text);
      }
      float[] vector = found.result().filter(this::isOurs).orElse(null);
      if (vector != null) {
        looked.accept(Look.HIT);
        return Future.succeededFuture(vector);
      }
      looked.accept(Look.MISS);
      return model.query(text).onSuccess(made -> known.keep(user, key, made));
    });
  }

  /** One form for what is the same text, however its accents are coded and its blanks set. */
  private static String normal(String question) {
    return BLANKS
        .matcher(Normalizer.normalize(question, Normalizer.Form.NFC))
        .replaceAll(" ")
        .strip();
  }

  /** Whether it is what an embedder gives: anything may stand in Redis. */
  private boolean isOurs(float[] vector) {
    double square = 0;
    for (float value : vector) {
      square += (double) value * value;
    }
    return vector.length == model.dimensions() && Math.abs(square - 1) < ABOUT;
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
  public Embedder telling(Consumer<EmbeddingUse> told) {
    return new CachedQueries(model.telling(told), known, user, looked);
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    return model.passages(texts);
  }
}
