package dev.askgateway.core;

import java.util.Locale;

/** Why an answer ended: the six values that every released client accepts. */
public enum FinishReason {
  STOP,
  LENGTH,
  CONTENT_FILTER,
  TOOL_CALLS,
  ERROR,
  OTHER;

  /** Lower case with dashes, as on the wire. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static FinishReason ofWire(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
