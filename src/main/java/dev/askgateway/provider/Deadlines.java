package dev.askgateway.provider;

import dev.askgateway.core.Rule;
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
  public static final Duration MOST_CONNECT = Duration.ofMinutes(1);

  /** Longest limit that can be set: longer ones are slips of the pen. */
  private static final Duration MOST = Duration.ofHours(1);

  public static final Deadlines DEFAULT = new Deadlines(
      Duration.ofSeconds(3),
      Duration.ofSeconds(15),
      Duration.ofSeconds(20),
      Duration.ofSeconds(30),
      Duration.ofSeconds(120));

  /** Checks them under their keys: {@code profiles.NAME.connect} and so on. */
  void check(String key) {
    require(key + ".connect", connect, MOST_CONNECT);
    require(key + ".headers", headers, MOST);
    require(key + ".firstDelta", firstDelta, MOST);
    require(key + ".stall", stall, MOST);
    require(key + ".total", total, MOST);
    // No order among the others: of two that run at once the shorter one counts.
    Rule.require(
        total.compareTo(firstDelta) >= 0,
        key + ".total",
        Rule.text(total),
        "at least " + key + ".firstDelta, " + Rule.text(firstDelta));
  }

  private static void require(String key, Duration value, Duration most) {
    Rule.range(key, value, Duration.ofMillis(1), most);
  }
}
