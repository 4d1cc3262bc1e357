package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderConfig;
import java.util.Optional;

/**
 * The model that writes answers, and what bounds and bills its calls.
 *
 * @param model empty: answers are quoted, not generated
 * @param prices empty without a model
 */
public record OpenAiSettings(
    Optional<ProviderConfig> model, Deadlines deadlines, PriceBook prices) {
  public OpenAiSettings {
    Rule.require(
        model.map(one -> !one.apiKey().isEmpty()).orElse(true),
        "openai.apiKey",
        "missing",
        "set with openai.baseUrl; any word for a server that wants none");
  }
}
