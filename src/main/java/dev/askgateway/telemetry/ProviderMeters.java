package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one provider.
 *
 * @param attempts ended calls by why they failed
 */
record ProviderMeters(
    Labelled<GatewayError.Code, Counter> attempts,
    Timer firstOutput,
    Counter retries,
    Counter hedgesWon,
    Counter hedgesLost,
    Labelled<Tokens, Counter> reported,
    Labelled<Tokens, Counter> estimated,
    Counter cost,
    Labelled<ModelMeters.Embedded, Counter> embeddingTokens,
    Labelled<ModelMeters.Embedded, Counter> embeddingCost) {

  /** The kinds of tokens that have prices of their own; output holds reasoning, input images. */
  enum Tokens {
    INPUT,
    CACHE_READ,
    CACHE_WRITE,
    OUTPUT,
    REASONING,
    IMAGE
  }

  ProviderMeters(MeterRegistry registry, String name) {
    this(
        new Labelled<>(code -> Counter.builder("ask.provider.attempts")
            .description("Ended calls of models")
            .tags("provider", name, "code", Labels.code(code))
            .register(registry)),
        Timer.builder("ask.provider.first.output")
            .description("From the start of a call to its first output")
            .tag("provider", name)
            .serviceLevelObjectives(Labels.LATENCIES)
            .register(registry),
        Counter.builder("ask.provider.retries")
            .description("Calls made because the one before gave nothing")
            .tag("provider", name)
            .register(registry),
        hedges(registry, name, "won"),
        hedges(registry, name, "lost"),
        tokens(registry, name, "false"),
        tokens(registry, name, "true"),
        Counter.builder("ask.cost.micro.usd")
            .description("What was charged, under the provider that answered")
            .tag("provider", name)
            .register(registry),
        embedded(registry, name, "ask.embedding.tokens"),
        embedded(registry, name, "ask.embedding.cost.micro.usd"));
  }

  private static Labelled<ModelMeters.Embedded, Counter> embedded(
      MeterRegistry registry, String name, String meter) {
    return new Labelled<>(what -> Counter.builder(meter)
        .description("Calls for the vectors of questions and messages")
        .tags("provider", name, "purpose", Labels.lower(what))
        .register(registry));
  }

  private static Counter hedges(MeterRegistry registry, String name, String result) {
    return Counter.builder("ask.provider.hedges")
        .description("Calls made beside a slow one")
        .tags("provider", name, "result", result)
        .register(registry);
  }

  private static Labelled<Tokens, Counter> tokens(
      MeterRegistry registry, String name, String estimated) {
    return new Labelled<>(kind -> Counter.builder("ask.tokens")
        .description("Tokens as billed, of the calls that answered")
        .tags("provider", name, "kind", Labels.lower(kind), "estimated", estimated)
        .register(registry));
  }

  void tokens(Usage usage) {
    Labelled<Tokens, Counter> counters = usage.estimated() ? estimated : reported;
    counters.of(Tokens.INPUT).increment((double) usage.inputTokens());
    counters.of(Tokens.CACHE_READ).increment((double) usage.cacheReadTokens());
    counters.of(Tokens.CACHE_WRITE).increment((double) usage.cacheWriteTokens());
    counters.of(Tokens.OUTPUT).increment((double) usage.outputTokens());
    counters.of(Tokens.REASONING).increment((double) usage.reasoningTokens());
    counters.of(Tokens.IMAGE).increment((double) usage.imageTokens());
  }
}
