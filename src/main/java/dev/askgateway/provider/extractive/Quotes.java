package dev.askgateway.provider.extractive;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An answer made of quotations: the found messages that share the most words with the question, each
 * with who, when and its mark. Only found messages are quoted, never their neighbours, because a mark
 * names the found ones.
 */
final class Quotes {
  static final int MOST = 4;

  private static final int MAX_QUOTE = 240;
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?…。！？])\\s+|[\\r\\n]+");
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\s]+");
  private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern(
          "EEE d MMM uuuu HH:mm 'UTC'", Locale.ENGLISH)
      .withZone(ZoneOffset.UTC);
  private static final Map<String, String> PLATFORMS =
      Map.of("whatsapp", "WhatsApp", "imessage", "iMessage", "linkedin", "LinkedIn");

  /** @param place where it stands among all candidates, the best evidence first */
  private record Candidate(EvidenceWindow window, EvidenceMessage message, int score, int place) {}

  private final QuestionWords question;

  Quotes(String question) {
    this.question = new QuestionWords(question);
  }

  /** One paragraph a quotation, in the order of the labels; a fixed sentence when there are none. */
  String of(List<EvidenceWindow> windows) {
    List<Candidate> chosen = chosen(candidates(windows));
    return chosen.isEmpty()
        ? "Nothing in your messages answers this."
        : chosen.stream().map(this::line).collect(Collectors.joining("\n\n"));
  }

  private List<Candidate> candidates(List<EvidenceWindow> windows) {
    List<Candidate> candidates = new ArrayList<>();
    for (EvidenceWindow window : windows) {
      for (EvidenceMessage message : window.messages()) {
        if (message.hit() || message.id().equals(window.anchorId())) {
          int score = question.shared(message.senderName() + " " + message.text());
          candidates.add(new Candidate(window, message, score, candidates.size()));
        }
      }
    }
    return candidates;
  }

  /** The best of each window first, so that no window is crowded out, then whatever scores. */
  private static List<Candidate> chosen(List<Candidate> candidates) {
    int best = candidates.stream().mapToInt(Candidate::score).max().orElse(0);
    Comparator<Candidate> better = Comparator.comparingInt(Candidate::score)
        .reversed()
        .thenComparing(candidate -> !isAnchor(candidate))
        .thenComparingInt(Candidate::place);
    List<Candidate> firsts = candidates.stream()
        .collect(Collectors.groupingBy(candidate -> candidate.window().label()))
        .values()
        .stream()
        .map(ofWindow -> ofWindow.stream().sorted(better).findFirst().orElseThrow())
        .toList();
    List<Candidate> order = new ArrayList<>(firsts.stream().sorted(better).toList());
    candidates.stream()
        .filter(candidate -> !firsts.contains(candidate) && candidate.score() > 0)
        .sorted(better)
        .forEach(order::add);
    return order.stream()
        // Half as close as the best one is noise, unless retrieval itself put it first.
        .filter(candidate -> 2 * candidate.score() >= best || isFirst(candidate, candidates))
        .limit(MOST)
        .sorted(Comparator.comparingInt(Candidate::place))
        .toList();
  }

  private static boolean isFirst(Candidate candidate, List<Candidate> all) {
    return isAnchor(candidate) && candidate.window().equals(all.get(0).window());
  }

  private static boolean isAnchor(Candidate candidate) {
    return candidate.message().id().equals(candidate.window().anchorId());
  }

  private String line(Candidate candidate) {
    EvidenceMessage message = candidate.message();
    return harmless(message.senderName()) + " (" + WHEN.format(message.timestamp()) + ", "
        + platform(candidate.window().platform()) + "): \"" + quote(message.text()) + "\" ["
        + candidate.window().label() + "]";
  }

  /** The sentence that shares the most words, and what follows it while there is room. */
  private String quote(String text) {
    String[] sentences = SENTENCE_END.split(text.strip());
    int best = 0;
    for (int i = 1; i < sentences.length; i++) {
      if (question.shared(sentences[i]) > question.shared(sentences[best])) {
        best = i;
      }
    }
    StringBuilder quote = new StringBuilder(sentences[best].strip());
    for (int i = best + 1;
        i < sentences.length && quote.length() + sentences[i].length() < MAX_QUOTE;
        i++) {
      quote.append(' ').append(sentences[i].strip());
    }
    return cut(harmless(quote.toString()));
  }

  /** A quoted text holds no bracket: it can forge no mark. */
  private static String harmless(String text) {
    return CONTROL
        .matcher(text)
        .replaceAll(" ")
        .strip()
        .replace('[', '(')
        .replace(']', ')')
        .replace('"', '\'');
  }

  private static String cut(String text) {
    if (text.length() <= MAX_QUOTE) {
      return text;
    }
    int end = MAX_QUOTE - 1;
    if (Character.isHighSurrogate(text.charAt(end - 1))) {
      end--; // never half an emoji
    }
    return text.substring(0, end) + "…";
  }

  private static String platform(String platform) {
    String known = PLATFORMS.get(platform);
    if (known != null || platform.isEmpty()) {
      return known == null ? "" : known;
    }
    return harmless(platform.substring(0, 1).toUpperCase(Locale.ROOT) + platform.substring(1));
  }
}
