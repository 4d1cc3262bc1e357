package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import java.util.List;

/** Which keys of an entry with a name fill which record, in the order of its components. */
final class NamedSections {
  private NamedSections() {}

  static ProviderConfig provider(String name, Section provider) {
    Dialect dialect = provider.choice("dialect", Dialect.values(), Dialect::wire);
    String apiKey = provider.secret("apiKey");
    DataPolicy policy = policy(provider);
    Rule.require(
        policy.mode() != DataPolicy.Mode.BYOK || apiKey.isEmpty(),
        "providers." + name + ".apiKey",
        "***",
        "empty in the mode byok: the key comes with each request");
    return new ProviderConfig(
        name,
        dialect,
        provider.string("baseUrl"),
        apiKey,
        provider.choice("keyHeader", KeyHeader.values(), Section::lower, KeyHeader.usual(dialect)),
        provider.bool("includeUsage"),
        policy,
        provider.integer("warmConnections"));
  }

  private static DataPolicy policy(Section section) {
    return new DataPolicy(
        section.choice("mode", DataPolicy.Mode.values(), Section::lower),
        section.choice("retention", DataPolicy.Retention.values(), Section::lower),
        section.string("region"));
  }

  static Capabilities capabilities(Section model) {
    return new Capabilities(
        model.integer("contextTokens"),
        model.integer("outputTokens"),
        model.bool("tools"),
        model.bool("structuredOutput"),
        model.bool("images"),
        model.bool("reportsUsage"),
        model.bool("simulatedStreaming"),
        model.integer("embeddingDimensions"));
  }

  static ModelConfig.MaxTokensMember maxTokensMember(Section model) {
    return model.choice(
        "maxTokensMember", ModelConfig.MaxTokensMember.values(), ModelConfig.MaxTokensMember::wire);
  }

  static PriceBook.Price price(String name, Section model) {
    Section price = model.section("price");
    long input = price.whole("input");
    long output = price.whole("output");
    return new PriceBook.Price(
            input,
            price.whole("cacheRead"),
            price.whole("cacheWrite"),
            output,
            output,
            input,
            price.wholeOr("image", input))
        .check("models." + name + ".price");
  }

  static Profile profile(String name, Section profile, List<String> models) {
    return new Profile(
        name,
        models,
        profile.choice("order", Profile.Order.values(), Section::lower),
        new Needs(
            profile.bool("tools"), profile.bool("structuredOutput"), profile.bool("images"), 0, 0),
        policy(profile),
        profile.integer("attempts"),
        new Deadlines(
            profile.duration("connect"),
            profile.duration("headers"),
            profile.duration("firstDelta"),
            profile.duration("stall"),
            profile.duration("total")),
        profile.duration("hedgeAfter"),
        profile.decimal("hedgeShare"));
  }
}
