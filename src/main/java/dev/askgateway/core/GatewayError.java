package dev.askgateway.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every way a request can fail that the gateway knows of. The code decides status and wording in one
 * table; the message here is a safe sentence for the client and never holds content.
 */
public final class GatewayError extends RuntimeException {

  /** Stable codes (spec C9). A new one does not compile until the error table has a row for it. */
  public enum Code {
    INVALID_REQUEST,
    UNAUTHENTICATED,
    BUDGET_EXHAUSTED,
    INSUFFICIENT_CREDITS,
    AI_DISABLED,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    REQUEST_CONFLICT,
    PAYLOAD_TOO_LARGE,
    CONTEXT_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    RATE_LIMITED,
    INTERNAL,
    PROVIDER_FAILED,
    PROVIDER_TRUNCATED,
    NO_PROVIDER,
    MODELS_OFF,
    OVERLOADED,
    DEPENDENCY_UNAVAILABLE,
    PROVIDER_TIMEOUT,
    INTERRUPTED,
    CANCELLED;

    /** The code as clients read it: lower case with underscores. */
    public String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The code with that wire name. */
    public static Code ofWire(String wire) {
      return valueOf(wire.toUpperCase(java.util.Locale.ROOT));
    }
  }

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Code code;
  private final @Nullable String field;
  private final @Nullable Duration retryAfter;
  private final @Nullable BudgetRefusal budget;

  public GatewayError(Code code, String message) {
    this(code, message, null, null, null, null);
  }

  public GatewayError(Code code, String message, @Nullable Throwable cause) {
    this(code, message, null, null, null, cause);
  }

  private GatewayError(
      Code code,
      String message,
      @Nullable String field,
      @Nullable Duration retryAfter,
      @Nullable BudgetRefusal budget,
      @Nullable Throwable cause) {
    super(message, cause, false, false); // an expected outcome: no stack trace to fill in
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
    this.budget = budget;
  }

  /** A request that breaks the contract at {@code field} (a JSON pointer, or a parameter's name). */
  public static GatewayError invalid(@Nullable String field, String message) {
    return new GatewayError(Code.INVALID_REQUEST, message, field, null, null, null);
  }

  /** A thing that is not there, or is somebody else's: the same answer for both. */
  public static GatewayError notFound(String what) {
    return new GatewayError(Code.NOT_FOUND, "There is no such " + what + ".");
  }

  /** A failure that was told before, in the same words. */
  public static GatewayError again(
      Code code, String message, @Nullable String field, @Nullable Duration retryAfter) {
    return new GatewayError(code, message, field, retryAfter, null, null);
  }

  /** The same error with the time after which another try can help. */
  public GatewayError retryAfter(Duration delay) {
    return new GatewayError(code, message(), field, delay, budget, getCause());
  }

  /** An account that cannot hold what the request may cost; what others hold may be free soon. */
  public static GatewayError budgetExhausted(BudgetRefusal refusal) {
    String message =
        switch (refusal.reason()) {
          case REQUEST_CAP -> "This request may cost more than one request is allowed to.";
          case IN_USE -> "What is left of the account's budget is held by requests that still run.";
          case MONTHLY_ALLOWANCE -> "The account's budget is used up.";
          case TOO_COSTLY -> "This request may cost more than the account has in a month.";
        };
    Duration retryAfter = refusal.reason() == BudgetRefusal.Reason.IN_USE ? SOON : null;
    return new GatewayError(Code.BUDGET_EXHAUSTED, message, null, retryAfter, refusal, null);
  }

  public Code code() {
    return code;
  }

  /** The message, which this class always has. */
  public String message() {
    String message = getMessage();
    return message == null ? code.wire() : message;
  }

  public @Nullable String field() {
    return field;
  }

  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** Of {@link Code#BUDGET_EXHAUSTED}: why, if it is known. */
  public @Nullable BudgetRefusal budget() {
    return budget;
  }
}
