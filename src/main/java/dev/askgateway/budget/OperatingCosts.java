package dev.askgateway.budget;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.OperatingRepository;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls for vectors that no person pays for: of messages, and of questions that a person's own models
 * answer. They wait for nothing and nothing waits for them; what costs nothing is not written down.
 */
public final class OperatingCosts {
  private static final Logger LOG = LoggerFactory.getLogger(OperatingCosts.class);

  /** What a call was for. */
  public enum Feature {
    /** Messages of a person. */
    INDEXING,
    /** A question of a person. */
    ASSISTANT;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final PriceBooks prices;
  private final OperatingRepository rows;

  public OperatingCosts(PriceBooks prices, OperatingRepository rows) {
    this.prices = prices;
    this.rows = rows;
  }

  /** Notes a person's part of a call, by the prices of now; what it cost, in micro-USD. Does not fail. */
  public long note(UserId user, Feature feature, EmbeddingUse use) {
    PriceBook book = prices.current();
    long costMicroUsd = book.embeddingMicroUsd(use.provider(), use.model(), use.usage());
    if (costMicroUsd > 0) {
      rows.note(user, feature.wire(), use, costMicroUsd, book.version())
          .onFailure(away -> LOG.warn(
              "operating cost not written down: microUsd={} code={}",
              costMicroUsd,
              away instanceof GatewayError known
                  ? known.code()
                  : away.getClass().getSimpleName()));
    }
    return costMicroUsd;
  }
}
