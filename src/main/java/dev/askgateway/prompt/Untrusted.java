package dev.askgateway.prompt;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.util.regex.Pattern;

/**
 * Text of other people, made unable to pass for something of ours: it holds no brackets that could be
 * a source mark, no fence, no tag or special token of a model, no bar or line break that could open a
 * new entry, no direction override, nothing invisible that would hide such a thing. Names cannot end
 * their own place in a line, and are never those of who takes part in a talk with a model.
 */
final class Untrusted {
  /** Longest text of one message in a prompt, in characters. */
  static final int MAX_TEXT = 1000;

  private static final int MAX_NAME = 80;
  private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}]+");

  /**
   * Without width or ink: formats, fillers, selectors beyond those of emoji, tags. Joiners stay, which
   * emoji and some scripts are made with, and the formats of Arabic and Syriac that are seen.
   */
  private static final Pattern UNSEEN =
      Pattern.compile("[\\p{Cf}\\u034F\\u115F\\u1160\\u17B4\\u17B5"
          + "\\u180B-\\u180F\\u3164\\uFFA0\\x{E0000}-\\x{E0FFF}"
          + "&&[^\\u200C\\u200D\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2]]+");

  /** Every bracket but round ones, braces, and the quotation marks of Chinese and Japanese. */
  private static final Pattern OPENING =
      Pattern.compile("[\\p{Ps}\\u23A1-\\u23A3&&[^({\\uFF08\\uFF5B\\u300C\\u300E\\u201A\\u201E]"
          + "&&[^\\u3008\\u300A\\u2329\\u27E8\\u27EA\\u276C\\u2770\\u29FC]]");

  private static final Pattern CLOSING =
      Pattern.compile("[\\p{Pe}\\u23A4-\\u23A6&&[^)}\\uFF09\\uFF5D\\u300D\\u300F]"
          + "&&[^\\u3009\\u300B\\u232A\\u27E9\\u27EB\\u276D\\u2771\\u29FD]]");

  private static final String ANGLE = "[<>\\uFF1C\\uFF1E\\uFE64\\uFE65]";
  private static final String LIKE_ANGLE =
      "[<>\\uFF1C\\uFF1E\\uFE64\\uFE65\\u2039\\u203A\\u00AB\\u00BB"
          + "\\u226A\\u226B\\u22D8\\u22D9\\u3008-\\u300B\\u2329\\u232A\\u27E8-\\u27EB\\u276C-\\u2771"
          + "\\u29FC\\u29FD\\u02C2\\u02C3\\u1438\\u1433]";
  private static final String GAP = "[\\u200C\\u200D\\s]*";
  private static final Pattern FENCE = Pattern.compile(
      ANGLE + "(?:" + GAP + ANGLE + ")+|" + LIKE_ANGLE + "(?:" + GAP + LIKE_ANGLE + "){2,}");

  /** {@code <name}, {@code </name}, {@code <|name} and the like: of markup, of chat templates. */
  private static final Pattern TAG =
      Pattern.compile("[<\\uFF1C\\uFE64](?=" + GAP + "[\\p{L}_/!?|\\u00A6\\uFF5C\\u2502\\u2223])");

  private static final Pattern BAR = Pattern.compile("[|\\uFF5C\\u2502\\u2223\\u01C0\\u2758]");
  private static final Pattern NAME_END = Pattern.compile("[:\\uFF1A\\uFE55\\u2236\\uA789\\u02D0]");
  private static final Pattern QUOTE = Pattern.compile("[\"\\u201C-\\u201F\\uFF02\\u2033]");

  private Untrusted() {}

  static String text(String text) {
    return cut(flat(text), MAX_TEXT);
  }

  static String name(String name) {
    return cut(
        QUOTE
            .matcher(NAME_END.matcher(flat(name)).replaceAll(" "))
            .replaceAll("'")
            .strip(),
        MAX_NAME);
  }

  /** As {@link #text}, cut to so many characters. */
  static EvidenceMessage shortened(EvidenceMessage message, int chars) {
    return with(message, message.senderName(), cut(message.text(), chars));
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
        window.messages().stream()
            .map(message -> with(message, sender(message), text(message.text())))
            .toList(),
        window.note());
  }

  private static EvidenceMessage with(EvidenceMessage message, String sender, String text) {
    return new EvidenceMessage(
        message.id(),
        message.platformMessageId(),
        sender,
        message.fromMe(),
        message.timestamp(),
        text,
        message.hit(),
        message.replyTo());
  }

  private static String sender(EvidenceMessage message) {
    String name = name(message.senderName());
    return !message.fromMe() && Impostor.is(name) ? name + " (a contact)" : name;
  }

  private static String flat(String text) {
    String line = harmless(BREAKS.matcher(text).replaceAll(" ")).strip();
    return BAR.matcher(CLOSING.matcher(OPENING.matcher(line).replaceAll("(")).replaceAll(")"))
        .replaceAll("¦");
  }

  /** Without what keeps the parts of a line of evidence apart. */
  static String withoutBars(String text) {
    return BAR.matcher(text).replaceAll("¦");
  }

  /** Without what is not seen, without fences and tags; brackets and lines as they are. */
  static String harmless(String text) {
    String seen = UNSEEN.matcher(text).replaceAll("");
    return TAG.matcher(FENCE.matcher(seen).replaceAll("‹›")).replaceAll("‹");
  }

  static String cut(String text, int most) {
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
