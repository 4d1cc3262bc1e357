package dev.askgateway.store;

import java.util.UUID;

/** A message that a search found, with the raw value it was found by. */
public sealed interface SearchHit {

  UUID messageId();

  /**
   * Found by its words.
   *
   * @param matched how many of the asked terms it holds, its sender's name included
   * @param matchedInText how many of them in what was written
   * @param asked how many terms the text index knows a word of
   */
  record Lexical(UUID messageId, double rank, int matched, int matchedInText, int asked)
      implements SearchHit {}

  /** Found by its meaning; cosine -1 to 1, never NaN. */
  record Vector(UUID messageId, double cosine) implements SearchHit {}

  /** Found by its time alone. */
  record Recent(UUID messageId) implements SearchHit {}
}
