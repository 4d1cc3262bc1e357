package dev.askgateway.core;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A source that a claim of the answer names: the anchor message of its window, and no other text.
 *
 * @param messageIds every message of the window that retrieval found, the anchor first
 * @param platformMessageIds the platform's ids of the same messages, in the same order
 * @param excerpt at most 280 characters of the anchor's own text
 * @param isPreferredScope null when the question named no chats
 */
public record Citation(
    String label,
    UUID messageId,
    List<UUID> messageIds,
    List<String> platformMessageIds,
    UUID chatId,
    String excerpt,
    String senderName,
    boolean fromMe,
    Instant timestamp,
    String platform,
    String platformMessageId,
    @Nullable String chatName,
    boolean isGroup,
    @Nullable Boolean isPreferredScope) {

  public Citation {
    messageIds = List.copyOf(messageIds);
    platformMessageIds = List.copyOf(platformMessageIds);
  }

  /** Longest excerpt, in characters. */
  public static final int MAX_EXCERPT = 280;

  /** The citation of a window. */
  public static Citation of(EvidenceWindow window, boolean questionNamedChats) {
    EvidenceMessage anchor = window.anchor();
    List<EvidenceMessage> found = Stream.concat(
            Stream.of(anchor),
            window.messages().stream()
                .filter(message -> message.hit() && !message.id().equals(anchor.id())))
        .toList();
    return new Citation(
        window.label(),
        anchor.id(),
        found.stream().map(EvidenceMessage::id).toList(),
        found.stream().map(EvidenceMessage::platformMessageId).toList(),
        window.chatId(),
        excerpt(anchor.text()),
        anchor.senderName(),
        anchor.fromMe(),
        anchor.timestamp(),
        window.platform(),
        anchor.platformMessageId(),
        window.chatName(),
        window.isGroup(),
        questionNamedChats ? window.isPreferred() : null);
  }

  private static String excerpt(String text) {
    if (text.length() <= MAX_EXCERPT) {
      return text;
    }
    int end = MAX_EXCERPT - 1;
    if (Character.isHighSurrogate(text.charAt(end - 1))) {
      end--; // never half an emoji
    }
    return text.substring(0, end) + "…";
  }

  /** The shape clients read; {@code chatName} may be null, an absent preference is left out. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject()
        .put("label", label)
        .put("messageId", messageId.toString())
        .put(
            "messageIds",
            messageIds.stream()
                .map(UUID::toString)
                .collect(JsonArray::new, JsonArray::add, JsonArray::addAll))
        .put("platformMessageIds", new JsonArray(platformMessageIds))
        .put("chatId", chatId.toString())
        .put("excerpt", excerpt)
        .put("senderName", senderName)
        .put("fromMe", fromMe)
        .put("timestamp", timestamp.toString())
        .put("platform", platform)
        .put("platformMessageId", platformMessageId)
        .put("chatName", chatName)
        .put("isGroup", isGroup);
    if (isPreferredScope != null) {
      json.put("isPreferredScope", isPreferredScope);
    }
    return json;
  }

  public static Citation fromJson(JsonObject json) {
    return new Citation(
        json.getString("label"),
        UUID.fromString(json.getString("messageId")),
        json.getJsonArray("messageIds").stream()
            .map(id -> UUID.fromString(id.toString()))
            .toList(),
        json.getJsonArray("platformMessageIds").stream().map(Object::toString).toList(),
        UUID.fromString(json.getString("chatId")),
        json.getString("excerpt"),
        json.getString("senderName"),
        json.getBoolean("fromMe"),
        Instant.parse(json.getString("timestamp")),
        json.getString("platform"),
        json.getString("platformMessageId"),
        json.getString("chatName"),
        json.getBoolean("isGroup"),
        json.getBoolean("isPreferredScope"));
  }
}
