package dev.askgateway.prompt;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.util.regex.Pattern;

/**
 * Text of other people, made unable to pass for something of ours: it holds no brackets that could be
 * a source mark, no fence, no line break that could open a new entry, no direction override, nothing
 * invisible that would hide such a thing. A contact who calls themselves "You" is not the person.
 */
final class Untrusted {
  /** Longest text of one message in a prompt, in characters. */
  static final int MAX_TEXT = 1000;

  private static final int MAX_NAME = 80;
  private static final Pattern INVISIBLE =
      Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]+");
  /** Without width; joiners stay, which emoji and some scripts are made with. */
  private static final Pattern NO_WIDTH =
      Pattern.compile("[\\u00AD\\u200B\\u200E\\u200F\\u2060-\\u2064\\uFEFF\\x{E0000}-\\x{E007F}]+");

  /** Every kind of square bracket, also those that look like one. */
  private static final Pattern OPEN =
      Pattern.compile("[\\[\\uFF3B\\u3010\\u3014\\u301A\\u27E6\\u2045\\u2772]");

  private static final Pattern CLOSE =
      Pattern.compile("[\\]\\uFF3D\\u3011\\u3015\\u301B\\u27E7\\u2046\\u2773]");
  private static final String ANGLE = "[<>\\uFF1C\\uFF1E\\uFE64\\uFE65]";
  private static final Pattern FENCE =
      Pattern.compile(ANGLE + "(?:[\\u200C\\u200D\\s]*" + ANGLE + ")+");
  private static final String PERSON = "You";

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
        sender(message),
        message.fromMe(),
        message.timestamp(),
        text(message.text()),
        message.hit(),
        message.replyTo());
  }

  private static String sender(EvidenceMessage message) {
    String name = name(message.senderName());
    return !message.fromMe() && name.equalsIgnoreCase(PERSON) ? name + " (a contact)" : name;
  }

  private static String clean(String text) {
    String flat =
        INVISIBLE.matcher(NO_WIDTH.matcher(text).replaceAll("")).replaceAll(" ").strip();
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
