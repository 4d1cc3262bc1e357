package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of providers and what it costs. The configured names are the only ones that become
 * labels; any other counts as {@code other}, persons' own connections among them.
 */
public final class ModelMeters {
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Map<String, ProviderMeters> providers = new HashMap<>();
  private final ProviderMeters other;
  private volatile Set<String> configured = Set.of();
  private volatile UnaryOperator<String> presentState = model -> "";

  ModelMeters(MeterRegistry registry, Set<String> names) {
    this.registry = registry;
    names.forEach(name -> providers.put(name, new ProviderMeters(registry, name)));
    other = new ProviderMeters(registry, OTHER);
  }

  /**
   * Says which names of models may be shown.
   *
   * @param models the configured ones, "provider:model"
   */
  public void names(Set<String> models) {
    configured = Set.copyOf(models);
  }

  /** The provider's name as it may be shown. */
  public String shown(String provider) {
    return providers.containsKey(provider) ? provider : OTHER;
  }

  /** The model's name as it may be shown. */
  public String shown(String provider, String model) {
    return configured.contains(provider + ":" + model) ? model : OTHER;
  }

  /**
   * The state of each model, one series for each state it can be in, 1 for the present one.
   *
   * @param models "provider:model" as configured
   * @param states every state there is, lower case
   * @param present the state of a model, read at each scrape
   */
  public void health(
      Collection<String> models, Collection<String> states, UnaryOperator<String> present) {
    presentState = present;
    for (String model : models) {
      for (String state : states) {
        Gauge.builder(
                "ask.model.health",
                this,
                meters -> meters.presentState.apply(model).equals(state) ? 1 : 0)
            .description("1 for the state a model is in")
            .tag("model", model)
            .tag("state", state)
            .register(registry);
      }
    }
  }

  /**
   * One call of a model ended.
   *
   * @param code why it failed; null: it gave an answer
   */
  public void attempted(String provider, GatewayError.@Nullable Code code) {
    of(provider).attempts().of(code).increment();
  }

  /** The first output of a call came, so many nanoseconds after the call's start. */
  public void firstOutput(String provider, long nanos) {
    of(provider).firstOutput().record(nanos, TimeUnit.NANOSECONDS);
  }

  /** A call was made because the one before it gave nothing, of the same model or another one. */
  public void retried(String provider) {
    of(provider).retries().increment();
  }

  /** A call made beside a slow one is over: it was the faster, or not. */
  public void hedged(String provider, boolean won) {
    (won ? of(provider).hedgesWon() : of(provider).hedgesLost()).increment();
  }

  /**
   * The tokens of one request, each kind apart; {@code reasoning} is a part of {@code output}, {@code
   * image} one of {@code input}.
   */
  public void tokens(String provider, Usage usage) {
    of(provider).tokens(usage);
  }

  /** What a call for vectors was for, beside those that clients ask for. */
  public enum Embedded {
    QUESTION,
    MESSAGES
  }

  /** A call for vectors used so many tokens, which cost so much, whoever pays. */
  public void embedded(String provider, Embedded what, Usage usage, long microUsd) {
    of(provider).embeddingTokens().of(what).increment((double) usage.inputTokens());
    of(provider).embeddingCost().of(what).increment((double) microUsd);
  }

  /** What was settled for a request, in micro-USD. */
  public void cost(String provider, long microUsd) {
    of(provider).cost().increment((double) microUsd);
  }

  private ProviderMeters of(String provider) {
    return providers.getOrDefault(provider, other);
  }
}
