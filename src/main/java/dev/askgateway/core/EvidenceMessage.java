package dev.askgateway.core;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message of a window, as it is stored: untrusted data, always.
 *
 * @param senderName the sender's label: "You" for the person's own messages, else the captured name,
 *     the contact's, the chat's, or "Unknown"
 * @param hit whether retrieval found this message itself, rather than its neighbour
 * @param replyTo the platform's id of the message it answers, or null
 */
public record EvidenceMessage(
    UUID id,
    String platformMessageId,
    String senderName,
    boolean fromMe,
    Instant timestamp,
    String text,
    boolean hit,
    @Nullable String replyTo) {}
