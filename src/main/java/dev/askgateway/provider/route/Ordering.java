package dev.askgateway.provider.route;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Orders the models that may answer a request.
 *
 * <p>By latency it takes the better of two drawn at random (M. Mitzenmacher, "The Power of Two Choices
 * in Randomized Load Balancing", 2001): always taking the best would send everybody to the same one
 * at once, on word that is old by then.
 */
record Ordering(PriceBooks prices, RandomGenerator random) {
  /** Assumed of an answer whose length nobody limits. */
  private static final int USUAL_OUTPUT = 512;

  /** Prices are told in whole micro-USD: so many requests together tell cheap models apart. */
  private static final long REQUESTS = 1_000;

  List<Served> of(Profile.Order order, List<Served> models, Needs needs) {
    return switch (order) {
      case PRIORITY -> models;
      case PRICE -> byPrice(models, needs, prices.current());
      case LATENCY -> byLatency(models);
    };
  }

  private static List<Served> byPrice(List<Served> models, Needs needs, PriceBook prices) {
    return models.stream()
        .sorted(Comparator.comparingLong(model -> price(model, needs, prices)))
        .toList();
  }

  private static long price(Served model, Needs needs, PriceBook prices) {
    long output = needs.outputTokens() == 0 ? USUAL_OUTPUT : needs.outputTokens();
    return prices.worstCaseMicroUsd(
        model.provider().name(),
        model.provider().model(),
        needs.inputTokens() * REQUESTS,
        output * REQUESTS);
  }

  /** Models that are down are not drawn, and come last. */
  private List<Served> byLatency(List<Served> models) {
    IdentityHashMap<Served, Double> costs =
        new IdentityHashMap<>(); // once: they change while we sort
    models.forEach(model -> costs.put(
        model, model.refusedFor().isZero() ? model.health().cost() : Double.POSITIVE_INFINITY));
    Comparator<Served> cheaper = Comparator.comparingDouble(costs::get);
    List<Served> ordered = new ArrayList<>(models);
    ordered.sort(cheaper);
    int up = (int) costs.values().stream().filter(Double::isFinite).count();
    if (up > 2) {
      int one = random.nextInt(up);
      int other = random.nextInt(up - 1);
      int better = Math.min(one, other < one ? other : other + 1);
      ordered.add(0, ordered.remove(better));
    }
    return ordered;
  }
}
