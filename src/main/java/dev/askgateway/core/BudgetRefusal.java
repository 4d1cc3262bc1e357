package dev.askgateway.core;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why an account cannot hold what a request may cost at worst (spec G2): the answer 402 says it, so that a
 * client knows what to offer.
 *
 * @param waitingHelps whether the same request can be made later without anybody's doing
 * @param until from when on, if that is known; null with {@code waitingHelps}: once running requests end
 */
public record BudgetRefusal(
    Reason reason, boolean waitingHelps, @Nullable Instant until) {

  /** Says it in a failure's JSON: reason, waitingHelps, and until (ISO 8601, UTC) if that is known. */
  public void addTo(JsonObject failure) {
    failure.put("reason", reason.wire()).put("waitingHelps", waitingHelps);
    if (until != null) {
      failure.put("until", until.toString());
    }
  }

  /** What stands in the way. */
  public enum Reason {
    /** More than one request may cost. */
    REQUEST_CAP,
    /** Enough is there, but other requests hold it until they end. */
    IN_USE,
    /** The month's allowance, credits and overage are used up. */
    MONTHLY_ALLOWANCE,
    /** More than the account has in a whole month. */
    TOO_COSTLY;

    /** As clients read it: lower case with underscores. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The reason with that wire name. */
    public static Reason ofWire(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
    }
  }
}
