package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a usage report, in which the parts are inside the totals, into disjoint buckets. */
final class OpenAiUsage {
  private @Nullable Long prompt;
  private @Nullable Long completion;
  private @Nullable Long cached;

  /** What DeepSeek and Kimi call the cached part; some of their versions send both. */
  private @Nullable Long cachedBeside;

  private @Nullable Long written;
  private @Nullable Long reasoning;
  private @Nullable Long images;

  private OpenAiUsage() {}

  /** The usage at the parser, or null when it reports none. */
  static @Nullable Usage read(JsonParser at) throws IOException {
    OpenAiUsage usage = new OpenAiUsage();
    usage.members(at);
    return usage.buckets();
  }

  private void members(JsonParser at) throws IOException {
    if (!Lenient.isObject(at)) {
      return;
    }
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "prompt_tokens" -> prompt = Lenient.number(at);
        case "completion_tokens" -> completion = Lenient.number(at);
        case "cached_tokens", "prompt_cache_hit_tokens" -> cachedBeside = Lenient.number(at);
        case "prompt_tokens_details" -> details(at, true);
        case "completion_tokens_details" -> details(at, false);
        default -> at.skipChildren();
      }
    }
  }

  /** @param ofPrompt whether images in it were read; those of an answer were made, and are output */
  private void details(JsonParser at, boolean ofPrompt) throws IOException {
    if (!Lenient.isObject(at)) {
      return;
    }
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "cached_tokens" -> cached = Lenient.number(at);
        case "cache_write_tokens" -> written = Lenient.number(at);
        case "reasoning_tokens" -> reasoning = Lenient.number(at);
        case "image_tokens" -> images = ofPrompt ? Lenient.number(at) : images;
        default -> at.skipChildren();
      }
    }
  }

  private @Nullable Usage buckets() {
    if (prompt == null && completion == null) {
      return null;
    }
    long total = Math.max(0, orZero(prompt));
    long read = part(cached == null ? cachedBeside : cached, total);
    long write = part(written, total - read);
    // Which of them came from the cache nobody tells: as many as can be count as read anew.
    long image = part(images, total - read - write);
    return new Usage(
        total - read - write, read, write, orZero(completion), orZero(reasoning), image, false);
  }

  private static long part(@Nullable Long tokens, long whole) {
    return Math.max(0, Math.min(whole, orZero(tokens)));
  }

  private static long orZero(@Nullable Long tokens) {
    return tokens == null ? 0 : tokens;
  }
}
