package dev.askgateway.provider;

import dev.askgateway.core.Rule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/**
 * What callers ask for in place of a vendor's model (spec D): a task, served by any of its models.
 *
 * @param name letters, digits and {@code . _ -} ("assistant_grounded")
 * @param models ids of {@link ModelConfig}s, the preferred first; all answer, or all embed
 * @param order how candidates are ordered
 * @param needs capabilities that every one of its models must have
 * @param policy the data policy that every one of its models must satisfy
 * @param attempts most calls of models for one request, all models and repeats together
 * @param deadlines of one request
 * @param hedgeAfter wait for the first output after which a second model is asked as well; zero: never
 * @param hedgeShare most of the requests that may be hedged, 0 to 1
 */
public record Profile(
    String name,
    List<String> models,
    Order order,
    Needs needs,
    DataPolicy policy,
    int attempts,
    Deadlines deadlines,
    Duration hedgeAfter,
    double hedgeShare) {

  /** How candidates are ordered. */
  public enum Order {
    /** As the profile lists them. */
    PRIORITY,
    /** The cheapest first. */
    PRICE,
    /** By observed time to the first output: the better of two drawn at random first. */
    LATENCY
  }

  public Profile {
    models = List.copyOf(models);
    String key = "profiles." + name;
    Rule.require(
        name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,59}"),
        key,
        '"' + name + '"',
        "letters, digits and . _ -, at most 60");
    Rule.require(
        DataPolicy.isRegion(policy.region()), key + ".region", policy.region(), DataPolicy.REGION);
    Rule.range(key + ".attempts", attempts, 1, 20);
    deadlines.check(key);
    Rule.range(key + ".hedgeAfter", hedgeAfter, Duration.ZERO, deadlines.total());
    Rule.range(key + ".hedgeShare", hedgeShare, 0, 1);
    Rule.require(!models.isEmpty(), key + ".models", "empty", "at least one of models");
    Rule.require(
        new HashSet<>(models).size() == models.size(), key + ".models", models, "each model once");
  }

  /** The same, served by these models. */
  public Profile withModels(List<String> others) {
    return new Profile(
        name, others, order, needs, policy, attempts, deadlines, hedgeAfter, hedgeShare);
  }

  /** A profile of one model, with nothing special. */
  public static Profile of(String name, Deadlines deadlines, String... models) {
    return new Profile(
        name,
        List.of(models),
        Order.PRIORITY,
        Needs.NOTHING,
        new DataPolicy(DataPolicy.Mode.MANAGED, DataPolicy.Retention.PROVIDER_POLICY, ""),
        3,
        deadlines,
        Duration.ZERO,
        0.05);
  }
}
