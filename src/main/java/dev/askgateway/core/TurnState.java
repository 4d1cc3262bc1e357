package dev.askgateway.core;

import java.util.Locale;

/** States of a turn (spec B10). All but the first two are terminal. */
public enum TurnState {
  PENDING,
  STREAMING,
  COMPLETED,
  FAILED,
  CANCELLED;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static TurnState ofWire(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }

  public boolean terminal() {
    return this != PENDING && this != STREAMING;
  }
}
