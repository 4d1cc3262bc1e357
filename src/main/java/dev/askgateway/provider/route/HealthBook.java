package dev.askgateway.provider.route;

import io.vertx.core.Vertx;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The health of every model of every provider. One for the process, shared by all event loops. */
public final class HealthBook {
  private final Vertx vertx;
  private final HealthRules rules;
  private final LongSupplier nanos;
  private final HealthListener listener;
  private final Map<String, NotBefore> providers = new ConcurrentHashMap<>();
  private final Map<String, ModelHealth> models = new ConcurrentHashMap<>();

  public HealthBook(Vertx vertx, HealthListener listener) {
    this(vertx, HealthRules.DEFAULT, System::nanoTime, listener);
  }

  HealthBook(Vertx vertx, HealthRules rules, LongSupplier nanos, HealthListener listener) {
    this.vertx = vertx;
    this.rules = rules;
    this.nanos = nanos;
    this.listener = listener;
  }

  /** The health of a provider's model, the same for all configured models that name it. */
  ModelHealth of(String provider, String model) {
    NotBefore access = providers.computeIfAbsent(provider, first -> new NotBefore(nanos));
    return models.computeIfAbsent(
        provider + ":" + model,
        first -> new ModelHealth(vertx, provider, model, access, rules, nanos, listener));
  }

  /** The present state of one model, by "provider:model"; one that nobody knows is up. */
  public HealthState state(String model) {
    ModelHealth health = models.get(model);
    return health == null ? HealthState.UP : health.state();
  }

  /** The present state of each model, by "provider:model", for a gauge. */
  public Map<String, HealthState> states() {
    Map<String, HealthState> states = new TreeMap<>();
    models.forEach((name, health) -> states.put(name, health.state()));
    return states;
  }
}
