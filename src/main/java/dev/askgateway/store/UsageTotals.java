package dev.askgateway.store;

import dev.askgateway.core.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a person used in some days, in all, by feature and by model, those with the highest bill first. */
public record UsageTotals(Sum all, List<OfFeature> byFeature, List<OfModel> byModel) {

  /**
   * Requests and their tokens.
   *
   * @param managed of models that the gateway pays for; estimated if any of it is
   * @param billableMicroUsd what the person was charged for those
   * @param own of the person's own accounts at providers, which cost nothing here
   */
  public record Sum(Requests managed, long billableMicroUsd, Requests own) {}

  /** So many requests with so many tokens in all. */
  public record Requests(long count, Usage usage) {}

  /**
   * Of one thing that is done with models.
   *
   * @param feature assistant, search, completion or embedding
   */
  public record OfFeature(String feature, Sum sum) {}

  /** Of one model of one provider. */
  public record OfModel(String provider, String model, Sum sum) {}

  static final Sum NOTHING = new Sum(new Requests(0, Usage.NONE), 0, new Requests(0, Usage.NONE));

  /** What a row of sums is of: null of all. */
  record Row(
      @Nullable String feature,
      @Nullable String provider,
      @Nullable String model,
      Sum sum) {}

  static UsageTotals of(List<Row> rows) {
    Sum all = NOTHING;
    List<OfFeature> features = new ArrayList<>();
    List<OfModel> models = new ArrayList<>();
    for (Row row : rows) {
      if (row.feature() != null) {
        features.add(new OfFeature(row.feature(), row.sum()));
      } else if (row.provider() != null && row.model() != null) {
        models.add(new OfModel(row.provider(), row.model(), row.sum()));
      } else {
        all = row.sum();
      }
    }
    return new UsageTotals(all, List.copyOf(features), List.copyOf(models));
  }
}
