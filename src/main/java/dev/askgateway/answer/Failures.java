package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;

/** What a person reads when an answer fails: a fixed sentence for each code, nobody's own words. */
final class Failures {
  private Failures() {}

  static GatewayError.Code code(Throwable cause) {
    return cause instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL;
  }

  /** The same live, from the log and from the store, which keeps the code alone. */
  static AnswerEvent.Failure failure(GatewayError.Code code) {
    return new AnswerEvent.Failure(code, sentence(code));
  }

  static String sentence(GatewayError.Code code) {
    return switch (code) {
      case PROVIDER_FAILED -> "The model provider failed.";
      case PROVIDER_TRUNCATED -> "The model provider cut the answer short.";
      case PROVIDER_TIMEOUT -> "The model provider took too long.";
      case NO_PROVIDER -> "No model provider is available.";
      case MODELS_OFF -> "The models are switched off at the moment.";
      case CONTEXT_TOO_LARGE -> "The question and its evidence are too large for the model.";
      case INTERRUPTED -> "The answer was interrupted. Ask again.";
      case DEPENDENCY_UNAVAILABLE -> "A part of the service is not available.";
      case OVERLOADED -> "The service is busy.";
      default -> "The answer failed.";
    };
  }
}
