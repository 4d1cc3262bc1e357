package dev.askgateway.prompt;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.util.regex.Pattern;

/**
 * Text of other people, made unable to pass for something of ours: it holds no brackets that could be
 * a source mark, no fence, no line break that could open a new entry, no direction override.
 */
final class Untrusted {
  /** Longest text of one message in a prompt, in characters. */
  static final int MAX_TEXT = 1000;

  private static final int MAX_NAME = 80;
  private static final Pattern INVISIBLE =
      Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]+");
  private static final Pattern OPEN = Pattern.compile("[\\[\\uFF3B\\u3010\\u27E6\\u2045]");
  private static final Pattern CLOSE = Pattern.compile("[\\]\\uFF3D\\u3011\\u27E7\\u2046]");
  private static final Pattern FENCE = Pattern.compile("[<>]{2,}");

  private Untrusted() {}

  static String text(String text) {
    return cut(clean(text), MAX_TEXT);
  }

  static String name(String name) {
    return cut(clean(name), MAX_NAME);
  }

  /** The same window with harmless texts and names. */
  static EvidenceWindow window(EvidenceWindow window) {
    String chat = window.chatName();
    return new EvidenceWindow(
        window.label(),
        window.anchorId(),
        window.chatId(),
        chat == null ? null : name(chat),
        window.platform(),
        window.isGroup(),
        window.isPreferred(),
        window.messages().stream().map(Untrusted::message).toList());
  }

  private static EvidenceMessage message(EvidenceMessage message) {
    return new EvidenceMessage(
        message.id(),
        message.platformMessageId(),
        name(message.senderName()),
        message.fromMe(),
        message.timestamp(),
        text(message.text()),
        message.hit(),
        message.replyTo());
  }

  private static String clean(String text) {
    String flat = INVISIBLE.matcher(text).replaceAll(" ").strip();
    return FENCE
        .matcher(CLOSE.matcher(OPEN.matcher(flat).replaceAll("(")).replaceAll(")"))
        .replaceAll("‹›");
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - 1;
    if (Character.isHighSurrogate(text.charAt(end - 1))) {
      end--; // never half an emoji
    }
    return text.substring(0, end) + "…";
  }
}
