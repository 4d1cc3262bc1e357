package dev.askgateway.config;

import dev.askgateway.budget.PriceBook.Price;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.ModelConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * What models cost, by provider and the provider's own id, as usage rows name them: two configured
 * models that are one there have one price.
 */
final class PriceList {
  private record Line(String name, Price price) {}

  private final Map<String, Line> lines = new HashMap<>();

  void add(ModelConfig model, Price price) {
    Line line =
        lines.putIfAbsent(model.provider() + ":" + model.model(), new Line(model.id(), price));
    if (line != null && !line.name().equals(model.id())) {
      price
          .rates()
          .forEach((bucket, rate) -> requireSame(
              model.id(), bucket, rate, line.price().rates().getOrDefault(bucket, 0L), line));
    }
  }

  private static void requireSame(String name, String bucket, long price, long other, Line line) {
    Rule.require(
        price == other,
        "models." + name + ".price." + bucket,
        price,
        other + " as for " + line.name() + ", which is the same model");
  }

  /** The prices that are not zero. */
  Map<String, Price> byUpstream() {
    Map<String, Price> prices = new HashMap<>();
    lines.forEach((upstream, line) -> prices.put(upstream, line.price()));
    prices.values().removeIf(Price.FREE::equals);
    return prices;
  }
}
