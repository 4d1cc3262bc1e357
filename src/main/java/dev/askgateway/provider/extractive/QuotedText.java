package dev.askgateway.provider.extractive;

import dev.askgateway.core.EvidenceMessage;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** A quotation in words: who, when in the account's zone, where, what, and its mark. */
final class QuotedText {
  private static final int MAX_QUOTE = 240;
  private static final int MAX_ASKED = 120;
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?…。！？])\\s+|[\\r\\n]+");
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069\\s]+");
  /** Every kind of square bracket, also those that look like one. */
  private static final Pattern OPEN =
      Pattern.compile("[\\[\\uFF3B\\u3010\\u3014\\u301A\\u27E6\\u2045\\u2772]");

  private static final Pattern CLOSE =
      Pattern.compile("[\\]\\uFF3D\\u3011\\u3015\\u301B\\u27E7\\u2046\\u2773]");
  private static final Map<String, String> PLATFORMS =
      Map.of("whatsapp", "WhatsApp", "imessage", "iMessage", "linkedin", "LinkedIn");

  private final QuestionWords words;
  private final DateTimeFormatter when;

  QuotedText(QuestionWords words, ZoneId zone) {
    this.words = words;
    when = DateTimeFormatter.ofPattern("EEE d MMM uuuu HH:mm z", Locale.ENGLISH).withZone(zone);
  }

  String of(Quotes.Quote quote) {
    EvidenceMessage asked = quote.asked();
    return (asked == null
            ? ""
            : harmless(asked.senderName()) + " asked: \"" + asking(asked.text()) + "\" ")
        + harmless(quote.message().senderName())
        + " (" + when.format(quote.message().timestamp())
        + platform(quote.window().platform()) + "): \""
        + best(quote.message().text(), MAX_QUOTE) + "\" [" + quote.window().label() + "]";
  }

  /** The last sentence, which is what asks. */
  private static String asking(String text) {
    String[] sentences = SENTENCE_END.split(text.strip(), -1);
    return cut(harmless(sentences[sentences.length - 1]), MAX_ASKED);
  }

  /** The sentence with the most of the question's words, and what follows it while there is room. */
  private String best(String text, int most) {
    String[] sentences = SENTENCE_END.split(text.strip(), -1);
    int best = 0;
    for (int i = 1; i < sentences.length; i++) {
      if (words.in(sentences[i]) > words.in(sentences[best])) {
        best = i;
      }
    }
    StringBuilder quote = new StringBuilder(sentences[best].strip());
    for (int i = best + 1;
        i < sentences.length && quote.length() + sentences[i].length() < most;
        i++) {
      quote.append(' ').append(sentences[i].strip());
    }
    return cut(harmless(quote.toString()), most);
  }

  /** A quoted text holds no bracket: it can forge no mark. */
  private static String harmless(String text) {
    String flat = CONTROL.matcher(text).replaceAll(" ").strip();
    return CLOSE.matcher(OPEN.matcher(flat).replaceAll("(")).replaceAll(")").replace('"', '\'');
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

  private static String platform(String platform) {
    String known = PLATFORMS.get(platform);
    if (known != null || platform.isEmpty()) {
      return known == null ? "" : ", " + known;
    }
    return ", "
        + harmless(platform.substring(0, 1).toUpperCase(Locale.ROOT) + platform.substring(1));
  }
}
