package dev.askgateway.store;

import io.vertx.sqlclient.Row;
import java.util.Locale;

/**
 * One version of the index: the vectors of one model over everybody's messages (spec H5). Vectors of
 * two versions are never compared.
 *
 * @param id names it in the queue; never used again
 * @param profileId the model's name in the configuration ("e5-384")
 * @param version counts the versions of that model, from 1
 * @param model provider and model as they were when it was begun ("onnx:e5-small-v2-q")
 * @param dimensions length of its vectors
 */
public record EmbeddingVersion(
    int id, String profileId, int version, String model, int dimensions, State state) {

  /** What becomes of it. At most one version is in each of the first three states. */
  public enum State {
    /** Gets vectors, is searched by nobody. */
    BUILDING,
    /** Searched by everybody. */
    ACTIVE,
    /** Served before the active one and still gets vectors: one can go back to it. */
    RETIRING,
    /** Given up: gets no vectors. */
    FAILED
  }

  /** Which model a node must have for it: the same name, the same model, the same length. */
  public static String modelKey(String profileId, String model, int dimensions) {
    return profileId + " " + model + " " + dimensions;
  }

  public String modelKey() {
    return modelKey(profileId, model, dimensions);
  }

  /** The same vectors, whatever becomes of them. */
  public boolean isSameIndex(EmbeddingVersion other) {
    return id == other.id && version == other.version && modelKey().equals(other.modelKey());
  }

  static EmbeddingVersion of(Row row) {
    return new EmbeddingVersion(
        row.getInteger("id"),
        row.getString("profile_id"),
        row.getInteger("version"),
        row.getString("model"),
        row.getInteger("dimensions"),
        State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)));
  }
}
