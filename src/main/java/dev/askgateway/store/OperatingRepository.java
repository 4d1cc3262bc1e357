package dev.askgateway.store;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** What the operator spends on calls that no request of a person's pays for, by person. */
public final class OperatingRepository {
  private static final String NOTE =
      "SELECT note_operating($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

  private final Database database;

  public OperatingRepository(Database database) {
    this.database = database;
  }

  /**
   * Notes a person's part of a call, in usage and in the ledger.
   *
   * @param feature what it was for, as usage rows say it
   * @param costMicroUsd by that book
   */
  public Future<Void> note(
      UserId user, String feature, EmbeddingUse use, long costMicroUsd, String priceBook) {
    Tuple arguments = Tuple.of(
        user.value(),
        feature,
        use.profile(),
        use.provider(),
        use.model(),
        use.usage().inputTokens());
    arguments
        .addBoolean(use.usage().estimated())
        .addLong(costMicroUsd)
        .addString(priceBook)
        .addLong(use.took().toMillis());
    return database.call(NOTE, arguments).mapEmpty();
  }
}
