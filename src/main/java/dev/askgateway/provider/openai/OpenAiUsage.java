package dev.askgateway.provider.openai;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Reads a usage report, in which the parts are inside the totals, into disjoint buckets. */
final class OpenAiUsage {
  private OpenAiUsage() {}

  /** The usage of an event, or null when it reports none. */
  static @Nullable Usage of(JsonObject event) {
    JsonObject usage = Lenient.object(event, "usage");
    Long prompt = Lenient.number(usage, "prompt_tokens");
    Long completion = Lenient.number(usage, "completion_tokens");
    if (prompt == null && completion == null) {
      return null;
    }
    long total = prompt == null ? 0 : Math.max(0, prompt);
    JsonObject input = Lenient.object(usage, "prompt_tokens_details");
    long read = part(input, "cached_tokens", total);
    long written = part(input, "cache_write_tokens", total - read);
    JsonObject output = Lenient.object(usage, "completion_tokens_details");
    return new Usage(
        total - read - written,
        read,
        written,
        completion == null ? 0 : completion,
        Lenient.numberOr(output, "reasoning_tokens", 0),
        false);
  }

  private static long part(JsonObject details, String key, long whole) {
    return Math.max(0, Math.min(whole, Lenient.numberOr(details, key, 0)));
  }
}
