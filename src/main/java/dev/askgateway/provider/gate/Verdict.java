package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.ProviderFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the client is told when no model answered: the most telling of all failures. */
final class Verdict {
  /** What is told where nobody knows when a model is back. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private @Nullable GatewayError worst;

  /** Keeps the more telling failure; of two alike the one whose model is back first. */
  void remember(GatewayError failure) {
    if (worst == null) {
      worst = failure;
      return;
    }
    int order = ProviderFailure.kindOf(failure).compareTo(ProviderFailure.kindOf(worst));
    if (order > 0 || (order == 0 && isSooner(failure.retryAfter(), worst.retryAfter()))) {
      worst = failure;
    }
  }

  private static boolean isSooner(@Nullable Duration wait, @Nullable Duration other) {
    return wait != null && (other == null || wait.compareTo(other) < 0);
  }

  GatewayError of(Turns turns) {
    if (worst != null) {
      return worst;
    }
    GatewayError nobody = new GatewayError(Code.NO_PROVIDER, "No model is available.");
    if (turns.isEmpty()) {
      return nobody;
    }
    Duration back = turns.back();
    return nobody.retryAfter(back.compareTo(SOON) > 0 ? back : SOON);
  }
}
