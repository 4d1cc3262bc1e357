package dev.askgateway.provider.route;

/** Hears when a model's health changes, on any thread; has to be quick. */
@FunctionalInterface
public interface HealthListener {

  /** Hears nothing. */
  HealthListener NONE = (provider, model, state) -> {};

  /** Waits that end by themselves are not told when they do: {@link HealthBook#states} shows it. */
  void changed(String provider, String model, HealthState state);
}
