package dev.askgateway.provider.gemini;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usage reports of one answer into disjoint buckets. They are cumulative and may be in every
 * event; of each number the last one told counts, as early and late reports leave some out.
 *
 * <p>The cached tokens are inside the prompt's; thinking is not inside the candidates'; what tools read
 * is in neither. Images are told apart of the prompt and of what of it was cached.
 */
final class GeminiUsage {
  private @Nullable Long prompt;
  private @Nullable Long toolPrompt;
  private @Nullable Long cached;
  private @Nullable Long candidates;
  private @Nullable Long thoughts;
  private @Nullable Long images;
  private @Nullable Long cachedImages;
  private @Nullable Usage told;

  /** The usage as it is after this event, or null when that is nothing new. */
  @Nullable
  Usage read(JsonObject event) {
    JsonObject report = Lenient.object(event, "usageMetadata");
    prompt = later(report, "promptTokenCount", prompt);
    toolPrompt = later(report, "toolUsePromptTokenCount", toolPrompt);
    cached = later(report, "cachedContentTokenCount", cached);
    candidates = later(report, "candidatesTokenCount", candidates);
    thoughts = later(report, "thoughtsTokenCount", thoughts);
    images = laterImages(report, "promptTokensDetails", images);
    cachedImages = laterImages(report, "cacheTokensDetails", cachedImages);
    if (prompt == null && candidates == null && thoughts == null) {
      return null;
    }
    Usage usage = usage();
    if (usage.equals(told)) {
      return null;
    }
    told = usage;
    return usage;
  }

  private Usage usage() {
    long read = Math.min(orZero(cached), orZero(prompt));
    return new Usage(
        orZero(prompt) - read + orZero(toolPrompt),
        read,
        0,
        orZero(candidates) + orZero(thoughts),
        orZero(thoughts),
        // Those of tools are among neither: the rest of the input is the prompt's.
        Math.min(orZero(images) - orZero(cachedImages), orZero(prompt) - read),
        false);
  }

  private static @Nullable Long laterImages(JsonObject report, String key, @Nullable Long before) {
    long now = 0;
    boolean told = false;
    for (Object detail : Lenient.array(report, key)) {
      if (detail instanceof JsonObject one && Lenient.text(one, "modality").equals("IMAGE")) {
        told = true;
        now += Math.max(0, Lenient.numberOr(one, "tokenCount", 0));
      }
    }
    return told ? (Long) now : before;
  }

  private static @Nullable Long later(JsonObject report, String key, @Nullable Long before) {
    Long now = Lenient.number(report, key);
    return now == null ? before : now;
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : Math.max(0, count);
  }
}
