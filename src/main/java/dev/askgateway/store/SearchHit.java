package dev.askgateway.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that a search found, with the raw value it was found by. */
public sealed interface SearchHit {

  UUID messageId();

  /**
   * Found by its words, or by standing next to such a message.
   *
   * @param matched how many of the asked terms it holds together with the message before it, their
   *     senders' names included; 0 when it holds none itself
   * @param matchedInText how many of them in what was written
   * @param asked how many terms the text index knows a word of
   * @param share what the matched terms weigh of all that were asked, 0 to 1; a rare word weighs more
   */
  record Lexical(
      UUID messageId, double rank, int matched, int matchedInText, int asked, double share)
      implements SearchHit {}

  /** Found by its meaning; cosine -1 to 1, never NaN. */
  record Vector(UUID messageId, double cosine) implements SearchHit {}

  /**
   * A found message beside the question, whichever way it was found.
   *
   * @param sender the captured name, empty where there is none
   * @param written what it says, and where
   * @param beforeId the message before it in its chat, inside half a day; null where there is none
   * @param afterId the one after it
   * @param cosine null where there is no vector to compare
   */
  record Compared(
      UUID messageId,
      boolean fromMe,
      String sender,
      Written written,
      @Nullable UUID beforeId,
      @Nullable UUID afterId,
      @Nullable Double cosine)
      implements SearchHit {}

  /**
   * A message's own words.
   *
   * @param text its first 1,000 characters
   * @param asks whether it ends with a question mark
   * @param answers whether the message before it does
   */
  record Written(UUID chatId, Instant at, String text, boolean asks, boolean answers) {}

  /** Found by its time alone. */
  record Recent(UUID messageId) implements SearchHit {}
}
