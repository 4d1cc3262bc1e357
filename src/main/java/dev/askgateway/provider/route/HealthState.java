package dev.askgateway.provider.route;

import java.util.Locale;

/** How a model is doing, as far as its last calls tell. */
public enum HealthState {
  UP,
  /** It was down, and one call finds out whether it still is. */
  PROBING,
  /** Too many calls failed: it is left alone for a while. */
  DOWN,
  /** It asked to be left alone for a while. */
  RATE_LIMITED,
  /** Our key, quota or model is refused: asked again once in a while. */
  NO_ACCESS;

  /** Lower case with underscores, as in metrics and logs. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
