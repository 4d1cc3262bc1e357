package dev.askgateway.provider;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.Usage;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why one call to one model failed: the cause of the {@link GatewayError} that says so. The gate
 * decides by its kind, and its message may be logged: it holds status and codes, never the text of
 * upstream, an address or a key.
 */
public final class ProviderFailure extends RuntimeException {

  /** Whether another model may be asked instead, as long as nothing of this one was shown. */
  public enum Elsewhere {
    NO,
    /** One other: upstream refused the request itself, but only after it had accepted it. */
    ONE,
    YES
  }

  /** The kinds of failure, the most telling last: it names the error when all models failed. */
  public enum Kind {
    /** No connection, a broken one, or a server's fault. */
    UNAVAILABLE(Code.PROVIDER_FAILED, Elsewhere.YES, true),
    /** No connection was free, and enough calls waited for one: our trouble, not upstream's. */
    CROWDED(Code.OVERLOADED, Elsewhere.YES, false),
    /** Our key, quota or model is refused: nothing changes until somebody acts. */
    ACCOUNT(Code.PROVIDER_FAILED, Elsewhere.YES, false),
    /** An answer that breaks the protocol, or holds nothing. */
    PROTOCOL(Code.PROVIDER_FAILED, Elsewhere.YES, true),
    /** Cut off: neither a reason to stop nor an end marker. */
    TRUNCATED(Code.PROVIDER_TRUNCATED, Elsewhere.YES, true),
    /** Refused as malformed after it was accepted. */
    REFUSED_LATE(Code.PROVIDER_FAILED, Elsewhere.ONE, false),
    /** Refused as malformed up front: our fault, and everybody else would say the same. */
    REFUSED(Code.PROVIDER_FAILED, Elsewhere.NO, false),
    TIMEOUT(Code.PROVIDER_TIMEOUT, Elsewhere.YES, true),
    RATE_LIMITED(Code.NO_PROVIDER, Elsewhere.YES, true),
    TOO_LARGE(Code.CONTEXT_TOO_LARGE, Elsewhere.NO, false);

    private final Code code;
    private final Elsewhere elsewhere;
    private final boolean passing;

    Kind(Code code, Elsewhere elsewhere, boolean passing) {
      this.code = code;
      this.elsewhere = elsewhere;
      this.passing = passing;
    }

    public Code code() {
      return code;
    }

    public Elsewhere elsewhere() {
      return elsewhere;
    }

    /**
     * Whether it is a trouble of the moment, and not one of the request or the account: it speaks
     * against the model's health, and may be gone when the same is asked again.
     */
    public boolean passing() {
      return passing;
    }

    private String sentence() {
      return switch (code) {
        case CONTEXT_TOO_LARGE -> "The question and its context are too long for the model.";
        case OVERLOADED -> "Too many requests wait for the model.";
        case NO_PROVIDER -> "The model is busy at the moment.";
        case PROVIDER_TIMEOUT -> "The model took too long to answer.";
        case PROVIDER_TRUNCATED -> "The model's answer was cut off.";
        default -> "The model could not answer.";
      };
    }
  }

  private static final Pattern PLAIN_CODE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final Kind kind;
  private final boolean modelOnly;
  private final Usage spent;

  private ProviderFailure(Kind kind, String detail, boolean modelOnly, Usage spent) {
    super(kind + ": " + detail, null, false, false); // expected: no stack trace to fill in
    this.kind = kind;
    this.modelOnly = modelOnly;
    this.spent = spent;
  }

  /**
   * The error for a failed call.
   *
   * @param detail for logs, in our own words: no text from upstream but {@link #loggable} codes
   */
  public static GatewayError error(Kind kind, String detail) {
    return error(kind, detail, Usage.NONE);
  }

  /** The same for a call that reported what it used before it came to nothing. */
  public static GatewayError error(Kind kind, String detail, Usage spent) {
    return new GatewayError(
        kind.code, kind.sentence(), new ProviderFailure(kind, detail, false, spent));
  }

  /** The error for a model that does not exist for our account, which may have others. */
  public static GatewayError noSuchModel(String detail) {
    return new GatewayError(
        Kind.ACCOUNT.code,
        Kind.ACCOUNT.sentence(),
        new ProviderFailure(Kind.ACCOUNT, detail, true, Usage.NONE));
  }

  /** The same with the time upstream asks to wait, if it said. */
  public static GatewayError error(Kind kind, String detail, @Nullable Duration retryAfter) {
    GatewayError error = error(kind, detail);
    return retryAfter == null ? error : error.retryAfter(retryAfter);
  }

  /** The error for a transport failure, of which only the type is kept: its text holds addresses. */
  public static GatewayError transport(Throwable cause) {
    if (cause instanceof GatewayError error) {
      return error;
    }
    Kind kind = cause instanceof ConnectionPoolTooBusyException ? Kind.CROWDED : Kind.UNAVAILABLE;
    return error(kind, cause.getClass().getSimpleName());
  }

  /** The kind of a failure, whichever adapter it comes from. */
  public static Kind kindOf(GatewayError error) {
    if (error.getCause() instanceof ProviderFailure failure) {
      return failure.kind;
    }
    return switch (error.code()) {
      case CONTEXT_TOO_LARGE -> Kind.TOO_LARGE;
      case INVALID_REQUEST, MODELS_OFF ->
        Kind.REFUSED; // no other may be asked, and none is to blame
      case RATE_LIMITED, NO_PROVIDER, OVERLOADED -> Kind.RATE_LIMITED;
      case PROVIDER_TIMEOUT -> Kind.TIMEOUT;
      case PROVIDER_TRUNCATED -> Kind.TRUNCATED;
      default -> Kind.UNAVAILABLE;
    };
  }

  /** What a failed call for vectors reported that it used; nothing where it reported nothing. */
  public static Usage spent(Throwable error) {
    return error.getCause() instanceof ProviderFailure failure ? failure.spent : Usage.NONE;
  }

  /** Whether only the model was refused: the provider's others may answer. */
  public static boolean isModelOnly(GatewayError error) {
    return error.getCause() instanceof ProviderFailure failure && failure.modelOnly;
  }

  /** Kind and detail of a failure as a log or a trace may show them, never text from upstream. */
  public static String loggable(GatewayError error) {
    return error.getCause() instanceof ProviderFailure failure
        ? String.valueOf(failure.getMessage())
        : error.code().name();
  }

  /** A code from upstream as a log may show it: "?" unless it is a short plain word. */
  public static String loggable(@Nullable Object code) {
    String text = String.valueOf(code);
    return PLAIN_CODE.matcher(text).matches() ? text : "?";
  }

  public Kind kind() {
    return kind;
  }
}
