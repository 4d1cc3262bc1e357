package dev.askgateway.indexing;

import dev.askgateway.core.GatewayError;

/** Whose fault a failed embedding is: a text's own, which no other text should pay for, or not. */
final class Faults {
  private Faults() {}

  /** The stable code a failure is shown with. */
  static String code(Throwable failure) {
    return codeOf(failure).wire();
  }

  private static GatewayError.Code codeOf(Throwable failure) {
    return failure instanceof GatewayError error ? error.code() : GatewayError.Code.INTERNAL;
  }

  /** Whether the failure speaks of the text that was sent, so that sending it again is of little use. */
  static boolean ofText(Throwable failure) {
    return switch (codeOf(failure)) {
      case INVALID_REQUEST, PAYLOAD_TOO_LARGE, CONTEXT_TOO_LARGE, INTERNAL -> true;
      default -> false;
    };
  }

  /** Whether only an operator can help: shown as failed at once, though it is still tried. */
  static boolean permanent(Throwable failure) {
    return switch (codeOf(failure)) {
      case UNAUTHENTICATED, NO_PROVIDER, NOT_FOUND, INVALID_REQUEST, INTERNAL -> true;
      default -> false;
    };
  }
}
