package dev.askgateway.core;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A short chronological stretch of one chat under a label that is fixed before generation.
 *
 * @param label "S1" to "S4", never renumbered
 * @param anchorId the message the label is bound to: the best hit of the window
 * @param messages ascending by time, the anchor among them
 * @param note what is known of the chat from numbers alone, in our own words; null where nothing is told
 */
public record EvidenceWindow(
    String label,
    UUID anchorId,
    UUID chatId,
    @Nullable String chatName,
    String platform,
    boolean isGroup,
    boolean isPreferred,
    List<EvidenceMessage> messages,
    @Nullable String note) {

  public EvidenceWindow {
    messages = List.copyOf(messages);
    UUID anchor = anchorId;
    if (messages.stream().noneMatch(message -> message.id().equals(anchor))) {
      throw new IllegalArgumentException("a window holds its anchor");
    }
  }

  /** A window without a note. */
  public EvidenceWindow(
      String label,
      UUID anchorId,
      UUID chatId,
      @Nullable String chatName,
      String platform,
      boolean isGroup,
      boolean isPreferred,
      List<EvidenceMessage> messages) {
    this(label, anchorId, chatId, chatName, platform, isGroup, isPreferred, messages, null);
  }

  /** The same window under a note. */
  public EvidenceWindow noted(@Nullable String told) {
    return new EvidenceWindow(
        label, anchorId, chatId, chatName, platform, isGroup, isPreferred, messages, told);
  }

  /** The anchor's own message. */
  public EvidenceMessage anchor() {
    return messages.stream()
        .filter(message -> message.id().equals(anchorId))
        .findFirst()
        .orElseThrow();
  }
}
