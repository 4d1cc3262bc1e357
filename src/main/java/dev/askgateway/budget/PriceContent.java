package dev.askgateway.budget;

import dev.askgateway.budget.PriceBook.Price;
import dev.askgateway.core.Rule;
import io.vertx.core.json.JsonObject;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A book taken apart and put together: from the prices of a file, and as the JSON that is stored,
 * which has every bucket.
 */
public final class PriceContent {
  /** The buckets that a model's prices may have. */
  public static final Set<String> BUCKETS = Set.copyOf(Price.FREE.rates().keySet());

  private PriceContent() {}

  /**
   * Prices of which some buckets are given. Cached input costs what other input does when nothing else
   * is said: a bucket that was forgotten is never free.
   *
   * @param key of the prices, for messages
   * @param rates micro-USD for a million tokens by bucket
   */
  public static Price price(String key, Map<String, Long> rates) {
    for (String bucket : List.of("input", "output")) {
      Rule.require(
          rates.containsKey(bucket) || rates.containsKey("embedding"),
          key + "." + bucket,
          "missing",
          "set, unless the model makes vectors and has embedding");
    }
    long input = rates.getOrDefault("input", 0L);
    long output = rates.getOrDefault("output", 0L);
    return new Price(
        input,
        rates.getOrDefault("cacheRead", input),
        rates.getOrDefault("cacheWrite", input),
        output,
        rates.getOrDefault("reasoning", output),
        rates.getOrDefault("embedding", input),
        rates.getOrDefault("image", input));
  }

  /** What is stored of a book. */
  static JsonObject toJson(PriceBook book) {
    JsonObject models = new JsonObject();
    new TreeMap<>(book.models()).forEach((model, price) -> {
      JsonObject texts = new JsonObject();
      price.rates().forEach((bucket, rate) -> texts.put(bucket, PriceText.of(rate)));
      models.put(model, texts);
    });
    return new JsonObject()
        .put("id", book.id())
        .put("validFrom", book.validFrom().toString())
        .put("models", models);
  }

  /**
   * The book that was stored.
   *
   * @throws IllegalArgumentException for what this build does not understand whole
   */
  static PriceBook fromJson(JsonObject json) {
    try {
      Map<String, Price> models = new HashMap<>();
      JsonObject stored = json.getJsonObject("models");
      for (String model : stored.fieldNames()) {
        models.put(model, price(model, rates(model, stored.getJsonObject(model))));
      }
      return new PriceBook(
          json.getString("id"), LocalDate.parse(json.getString("validFrom")), models);
    } catch (ClassCastException | NullPointerException | DateTimeParseException other) {
      throw new IllegalArgumentException("this is no price book", other);
    }
  }

  private static Map<String, Long> rates(String model, JsonObject texts) {
    Map<String, Long> rates = new HashMap<>();
    for (String bucket : texts.fieldNames()) {
      String key = "models." + model + "." + bucket;
      String text = texts.getString(bucket);
      Rule.require(BUCKETS.contains(bucket), key, text, "one of the buckets known here");
      rates.put(
          bucket,
          PriceText.parse(text)
              .orElseThrow(() -> new IllegalArgumentException(key + " is no price")));
    }
    return rates;
  }
}
