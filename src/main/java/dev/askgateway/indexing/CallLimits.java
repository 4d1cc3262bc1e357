package dev.askgateway.indexing;

import dev.askgateway.provider.Embedder;
import dev.askgateway.store.IndexRepository.Waiting;
import java.util.List;

/**
 * How much one embedding call may hold. Tokens are counted by what bounds them, so that no call is
 * above its limit whatever the model's vocabulary: a text's length in UTF-8, and the two marks that a
 * model may put around it.
 */
record CallLimits(int texts, int tokens) {
  private static final int MARKS = 2;

  /** The configured ones, or the provider's where these are lower. */
  static CallLimits of(Embedder embedder, IndexingConfig config) {
    return new CallLimits(
        Math.min(config.batchSize(), embedder.mostTexts()),
        Math.min(config.batchTokens(), embedder.mostTokens()));
  }

  boolean hold(int someTexts, long someTokens) {
    return someTexts <= texts && someTokens <= tokens;
  }

  /** The first of the texts that fit into one call; one at least, which is cut when it is called. */
  List<Waiting> fitting(List<Waiting> waiting) {
    int count = 0;
    long sum = 0;
    for (Waiting text : waiting) {
      sum += Math.min(tokens, tokens(text.text()));
      if (!hold(count + 1, sum)) {
        break;
      }
      count++;
    }
    return waiting.subList(0, Math.max(1, count));
  }

  /** The text, or its beginning if a call cannot hold all of it. Never ends within a character. */
  String cut(String text) {
    long left = tokens - (long) MARKS;
    int end = 0;
    while (end < text.length()) {
      int next = text.offsetByCodePoints(end, 1);
      left -= bytes(text.codePointAt(end));
      if (left < 0) {
        return text.substring(0, end);
      }
      end = next;
    }
    return text;
  }

  /** The most tokens that any model makes of a text. */
  static int tokens(String text) {
    return MARKS + text.codePoints().map(CallLimits::bytes).sum();
  }

  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
