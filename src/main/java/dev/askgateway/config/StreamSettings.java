package dev.askgateway.config;

import java.time.Duration;

/**
 * What a client sees of a running answer. If one of these exists, it is valid.
 *
 * @param heartbeat time between two SSE comments
 * @param writeDeadline how long a reader may take nothing before it is given up
 * @param grace how long an answer goes on after its reader is gone; zero: it stops at once
 */
public record StreamSettings(
    Duration heartbeat, Duration writeDeadline, Duration grace, Reveal reveal, Compat compat) {

  /** When sources are shown. */
  public enum Reveal {
    /** Each when a mark of the text names it. */
    CITED,
    /** All before the text. */
    PACK
  }

  /** Parts sent besides the standard ones. */
  public enum Compat {
    NONE,
    /** Those that older Claire clients read. */
    CLAIRE
  }

  public StreamSettings {
    Rule.positive("stream.heartbeat", heartbeat);
    Rule.positive("stream.writeDeadline", writeDeadline);
    Rule.notNegative("stream.grace", grace);
  }

  static StreamSettings from(Section stream) {
    return new StreamSettings(
        stream.duration("heartbeat"),
        stream.duration("writeDeadline"),
        stream.duration("grace"),
        stream.choice("reveal", Reveal.class),
        stream.choice("compat", Compat.class));
  }
}
