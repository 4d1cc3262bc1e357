package dev.askgateway.intake.edge;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How models are served to programs.
 *
 * @param auth who may ask
 * @param accounting whether calls are charged
 * @param headAfter how long the head of a stream waits for the model's first piece, so that a failure
 *     until then still has a status of its own
 * @param maxBodyBytes largest body of a request
 */
public record EdgeConfig(Auth auth, Accounting accounting, Duration headAfter, long maxBodyBytes) {

  /** Who may ask. */
  public enum Auth {
    /** Whoever has a token that is believed. */
    TOKEN,
    /** Anybody. */
    NONE
  }

  /** What becomes of the cost of a call. */
  public enum Accounting {
    /** The person pays: held before the call, charged after it. */
    LEDGER,
    NONE
  }

  public EdgeConfig {
    Rule.require(
        auth == Auth.TOKEN || accounting == Accounting.NONE,
        "edge.accounting",
        "ledger",
        "none when edge.auth is none: there is nobody to charge");
    Rule.range("edge.headAfter", headAfter, Duration.ofMillis(1), Duration.ofMinutes(5));
    Rule.range("edge.maxBodyBytes", maxBodyBytes, 1024, 1L << 30);
  }
}
