package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The versions of the index, as nodes see them: nothing of any person. */
public final class VersionRepository {
  private static final String WATCH = "SELECT * FROM watch_embedding_versions($1, $2)";
  private static final String FORGET = "SELECT forget_embedding_node($1)";
  private static final String ADOPT = "SELECT adopt_embedding_version($1, $2, $3)";

  private final Database database;

  public VersionRepository(Database database) {
    this.database = database;
  }

  /**
   * Tells that a node is there and reads the versions that are kept up to date.
   *
   * @param modelKeys which models it has, as {@link EmbeddingVersion#modelKey}
   */
  public Future<List<EmbeddingVersion>> watch(String node, Set<String> modelKeys) {
    return database
        .owner(WATCH, Tuple.of(node).addArrayOfString(modelKeys.toArray(String[]::new)))
        .map(rows -> {
          List<EmbeddingVersion> versions = new ArrayList<>();
          rows.forEach(row -> versions.add(EmbeddingVersion.of(row)));
          return List.copyOf(versions);
        });
  }

  /** Says that a node is gone. */
  public Future<Void> forget(String node) {
    return database.owner(FORGET, Tuple.of(node)).mapEmpty();
  }

  /** Makes the model that of the first version, if nothing has been indexed yet; else does nothing. */
  public Future<Void> adopt(String profileId, String model, int dimensions) {
    return database.owner(ADOPT, Tuple.of(profileId, model, dimensions)).mapEmpty();
  }
}
