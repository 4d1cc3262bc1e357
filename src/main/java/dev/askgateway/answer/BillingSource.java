package dev.askgateway.answer;

import dev.askgateway.provider.byok.OwnModels;
import java.util.Locale;

/** On whose account a model was asked, as usage rows say it. */
public enum BillingSource {
  /** The operator's, out of the person's allowance. */
  MANAGED_ALLOWANCE,
  /** The person's own, with their own key. */
  BYOK;

  /** Told by the provider's name: those of own keys have names that no managed one can have. */
  public static BillingSource of(String provider) {
    return OwnModels.isOwn(provider) ? BYOK : MANAGED_ALLOWANCE;
  }

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
