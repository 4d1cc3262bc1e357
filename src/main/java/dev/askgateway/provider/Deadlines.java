package dev.askgateway.provider;

import java.time.Duration;

/**
 * The only time limits of a model call; every default of the client library is switched off.
 *
 * @param connect a pooled connection, or name look-up, connect and TLS handshake
 * @param headers from the start of the attempt to the response head
 * @param firstDelta from the start of the attempt to its first text; the last candidate may use what
 *     is left of the total instead
 * @param stall longest silence between two pieces of content once text has begun
 * @param total all attempts together, to the last byte of the answer
 */
public record Deadlines(
    Duration connect, Duration headers, Duration firstDelta, Duration stall, Duration total) {

  /** Longest limit that can be set: longer ones are slips of the pen. */
  private static final Duration MOST = Duration.ofHours(1);

  public static final Deadlines DEFAULT = new Deadlines(
      Duration.ofSeconds(3),
      Duration.ofSeconds(15),
      Duration.ofSeconds(20),
      Duration.ofSeconds(30),
      Duration.ofSeconds(120));

  public Deadlines {
    require("connect", connect);
    require("headers", headers);
    require("firstDelta", firstDelta);
    require("stall", stall);
    require("total", total);
    requireOrder("headers", headers, "connect", connect);
    requireOrder("firstDelta", firstDelta, "headers", headers);
    requireOrder("total", total, "firstDelta", firstDelta);
  }

  private static void require(String key, Duration value) {
    if (value.toMillis() < 1 || value.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "provider.deadlines." + key + " is " + value + "; it must be 1 ms to 1 hour");
    }
  }

  private static void requireOrder(String key, Duration value, String lower, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException("provider.deadlines." + key + " is " + value
          + "; it must be at least provider.deadlines." + lower + ", " + least);
    }
  }
}
