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
 */
public record EvidenceWindow(
    String label,
    UUID anchorId,
    UUID chatId,
    @Nullable String chatName,
    String platform,
    boolean isGroup,
    boolean isPreferred,
    List<EvidenceMessage> messages) {

  public EvidenceWindow {
    messages = List.copyOf(messages);
    UUID anchor = anchorId;
    if (messages.stream().noneMatch(message -> message.id().equals(anchor))) {
      throw new IllegalArgumentException("a window holds its anchor");
    }
  }

  /** The anchor's own message. */
  public EvidenceMessage anchor() {
    return messages.stream()
        .filter(message -> message.id().equals(anchorId))
        .findFirst()
        .orElseThrow();
  }
}
