package dev.askgateway.provider.extractive;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which of the evidence to quote: the found messages that share the weightiest words with the
 * question, at least one of the best window and of every window that comes near it. A found question
 * is quoted with its answer. Only found messages are quoted, because a mark names no others.
 */
final class Quotes {
  static final int MOST = 4;

  /** Less than this share of the best score is off the question. */
  private static final double NEAR = 0.35;

  /** What of a question's score its answer has, which need not repeat its words. */
  private static final double OF_ASKED = 0.9;

  /**
   * One quotation.
   *
   * @param asked the found question that the message answers, or null
   * @param place where it stands among all candidates, the best evidence first
   */
  record Quote(
      EvidenceWindow window,
      EvidenceMessage message,
      @Nullable EvidenceMessage asked,
      double score,
      int place) {}

  private static final Comparator<Quote> BETTER = Comparator.comparingDouble(Quote::score)
      .reversed()
      .thenComparing(quote -> !quote.message().id().equals(quote.window().anchorId()))
      .thenComparingInt(Quote::place);

  private final QuestionWords words;

  Quotes(QuestionWords words) {
    this.words = words;
  }

  /** At most {@link #MOST} quotations in the order of the labels; none without evidence. */
  List<Quote> of(List<EvidenceWindow> windows) {
    List<Quote> candidates = candidates(windows);
    double best = candidates.stream().mapToDouble(Quote::score).max().orElse(0);
    List<Quote> firsts =
        candidates.stream()
            .collect(Collectors.groupingBy(quote -> quote.window().label()))
            .values()
            .stream()
            .map(ofWindow -> ofWindow.stream().min(BETTER).orElseThrow())
            .sorted(BETTER)
            .toList();
    List<Quote> order = new ArrayList<>(firsts);
    candidates.stream()
        .filter(quote -> !firsts.contains(quote) && quote.score() > 0)
        .sorted(BETTER)
        .forEach(order::add);
    return order.stream()
        .filter(quote -> quote.score() >= NEAR * best || isOfBestWindow(quote, windows, firsts))
        .limit(MOST)
        .sorted(Comparator.comparingInt(Quote::place))
        .toList();
  }

  /** What retrieval put first is quoted whatever its words are: it may be found by its meaning. */
  private static boolean isOfBestWindow(
      Quote quote, List<EvidenceWindow> windows, List<Quote> firsts) {
    return quote.window().equals(windows.get(0)) && firsts.contains(quote);
  }

  private List<Quote> candidates(List<EvidenceWindow> windows) {
    List<Quote> candidates = new ArrayList<>();
    for (EvidenceWindow window : windows) {
      Quote asking = null;
      for (EvidenceMessage message : found(window)) {
        Quote quote = quote(window, message, asking, candidates.size());
        if (quote.asked() != null) { // one quotation for the two
          candidates.remove(candidates.size() - 1);
        }
        candidates.add(quote);
        asking = isQuestion(message) ? quote : null;
      }
    }
    return candidates;
  }

  private Quote quote(
      EvidenceWindow window, EvidenceMessage message, @Nullable Quote asking, int place) {
    double own = words.in(message);
    if (asking == null || !answers(message, asking.message())) {
      return new Quote(window, message, null, own, place);
    }
    double score = Math.max(own, OF_ASKED * asking.score());
    // A question that is met with a question stands for itself.
    EvidenceMessage asked = isQuestion(message) ? null : asking.message();
    return new Quote(window, message, asked, score, place);
  }

  private static List<EvidenceMessage> found(EvidenceWindow window) {
    return window.messages().stream()
        .filter(message -> message.hit() || message.id().equals(window.anchorId()))
        .toList();
  }

  private static boolean isQuestion(EvidenceMessage message) {
    return message.text().strip().endsWith("?");
  }

  private static boolean answers(EvidenceMessage message, EvidenceMessage asking) {
    return message.fromMe() != asking.fromMe() || !message.senderName().equals(asking.senderName());
  }
}
