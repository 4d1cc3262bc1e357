package dev.askgateway.provider.route;

import dev.askgateway.provider.Capabilities;
import java.util.List;

/**
 * A name that requests may ask for.
 *
 * @param name a profile's, or a model's id
 * @param provider who serves the model; "" for a profile, which chooses among several
 * @param capabilities of the model, or what some model of the profile can do
 */
public record ListedModel(String name, String provider, Capabilities capabilities) {

  static ListedModel profile(String name, List<Capabilities> models) {
    return new ListedModel(
        name,
        "",
        new Capabilities(
            models.stream().mapToInt(Capabilities::contextTokens).max().orElse(0),
            models.stream().mapToInt(Capabilities::outputTokens).max().orElse(0),
            models.stream().anyMatch(Capabilities::tools),
            models.stream().anyMatch(Capabilities::structuredOutput),
            models.stream().anyMatch(Capabilities::images),
            models.stream().allMatch(Capabilities::reportsUsage),
            models.stream().allMatch(Capabilities::simulatedStreaming),
            models.stream().mapToInt(Capabilities::embeddingDimensions).max().orElse(0)));
  }
}
