package dev.askgateway.store;

import java.util.Locale;
import java.util.UUID;

/**
 * Which arm of a rollout a request has.
 *
 * @param run the rollout, see {@link Rollout#run}
 */
public record Arm(UUID run, Place place) {

  /** How it came to that. */
  public enum Place {
    /** Drawn out: as it is configured. */
    CONTROL,
    /** Drawn into the share. */
    CANDIDATE,
    /** Has the candidate by name, and is compared with nobody. */
    LISTED;

    /** As the database has it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Place ofWire(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
    }
  }
}
