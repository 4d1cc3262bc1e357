package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Vectors of questions that a person asked a moment ago (spec G6). It need not be there: whoever asks
 * goes on without it.
 */
public interface QueryVectors {

  /**
   * What a vector was made of and by.
   *
   * @param profile the embedding profile, with its version
   * @param text the question, normalised; it is kept nowhere
   */
  record Key(String profile, int version, String text) {
    /** Without the text. */
    @Override
    public String toString() {
      return "Key[profile=" + profile + ", version=" + version + "]";
    }
  }

  /** The vector, if it is known; fails, within milliseconds, when that cannot be told. */
  Future<Optional<float[]>> find(UserId user, Key key);

  /** Keeps a vector for a while. */
  Future<Void> keep(UserId user, Key key, float[] vector);
}
