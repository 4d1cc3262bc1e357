package dev.askgateway.intake.edge;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How the OpenAI-compatible edge is served.
 *
 * @param auth who may ask
 * @param accounting whether requests are held, charged and told apart by their ids
 * @param headAfter longest wait for the first output before a stream's head goes out
 * @param maxBodyBytes longest request
 */
public record EdgeConfig(Auth auth, Accounting accounting, Duration headAfter, long maxBodyBytes) {
  public static final EdgeConfig DEFAULT =
      new EdgeConfig(Auth.TOKEN, Accounting.LEDGER, Duration.ofSeconds(15), 10 << 20);

  /** Who may ask. */
  public enum Auth {
    /** Whoever has a token of the configured issuer. */
    TOKEN,
    /** Anybody, all as one person. */
    NONE
  }

  /** What is kept of a request. */
  public enum Accounting {
    /** Holds, usage and ledger in the database. */
    LEDGER,
    /** Nothing: no request touches the database. */
    NONE
  }

  public EdgeConfig {
    Rule.range("edge.headAfter", headAfter, Duration.ofMillis(1), Duration.ofHours(1));
    Rule.range("edge.maxBodyBytes", maxBodyBytes, 1024, 100 << 20);
  }
}
