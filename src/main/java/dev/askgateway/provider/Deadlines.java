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

  /** Longest {@link #connect}: a connection that takes longer gives its place in the pool up. */
  static final Duration MOST_CONNECT = Duration.ofMinutes(1);

  /** Longest limit that can be set: longer ones are slips of the pen. */
  private static final Duration MOST = Duration.ofHours(1);

  public static final Deadlines DEFAULT = new Deadlines(
      Duration.ofSeconds(3),
      Duration.ofSeconds(15),
      Duration.ofSeconds(20),
      Duration.ofSeconds(30),
      Duration.ofSeconds(120));

  public Deadlines {
    require("connect", connect, MOST_CONNECT);
    require("headers", headers, MOST);
    require("firstDelta", firstDelta, MOST);
    require("stall", stall, MOST);
    require("total", total, MOST);
    requireOrder("headers", headers, "connect", connect);
    requireOrder("firstDelta", firstDelta, "headers", headers);
    requireOrder("total", total, "firstDelta", firstDelta);
  }

  private static void require(String key, Duration value, Duration most) {
    if (value.toMillis() < 1 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException("provider.deadlines." + key + " is " + value
          + "; it must be 1 ms to " + most.toMinutes() + " min");
    }
  }

  private static void requireOrder(String key, Duration value, String lower, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException("provider.deadlines." + key + " is " + value
          + "; it must be at least provider.deadlines." + lower + ", " + least);
    }
  }
}
