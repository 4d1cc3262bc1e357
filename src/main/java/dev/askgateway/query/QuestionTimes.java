package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Ambiguity;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.query.time.Tense;
import dev.askgateway.query.time.TimeReader;
import dev.askgateway.query.time.TimeReader.Expression;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times of one question, and which of them is the one it is about: the first that tells when
 * something was said, one long ago only where there is no other, else the first that tells when something
 * happens.
 *
 * <p>A range bounds the messages' own times unless the question is about a plan, the range is that of an
 * event ("for Saturday", "about the weekend", "when is dinner on Saturday"), or it has not begun yet:
 * people talk about a date on other days. A stretch up to the request ("the past couple of days") always
 * bounds messages. What happened long ago may be told much later: {@link #isToldLater}.
 */
final class QuestionTimes {
  private static final Pattern EVENT_BEFORE = Pattern.compile(
      "\\b(?:for|about|regarding|sobre|para)(?: the| el| la| this| next| este)?\\s*$");

  private static final Pattern SPEAKING = Pattern.compile(
      "\\b(?:say|said|tell|told|mention(?:ed)?|write|wrote|text(?:ed)?|talk(?:ed)?|dijo|dije|dijimos"
          + "|hablamos|hable|conto|escribio)\\b");

  /** A season: of what happened in shorter times people tell while they last, or soon after. */
  private static final Duration LONG = Duration.ofDays(85);

  private static final Duration YEAR = Duration.ofDays(365);

  /** A date that both orders of day and month could read. */
  private static final Pattern NUMBERS = Pattern.compile("\\d[-/.]\\d");

  private static final Pattern YEAR_NUMBER = Pattern.compile("\\b(?:19|20)\\d{2}\\b");

  /** What a time is: when something was said, a stretch up to the request, or an event's date. */
  private enum Kind {
    SAID,
    STRETCH,
    EVENT
  }

  private record Found(Expression expression, Tense tense, TimeRange range, Kind kind) {}

  private final String folded;
  private final boolean plans;
  private final Instant at;
  private final ZoneId zone;
  private final List<String> words;
  private final boolean dayFirst;
  private final List<Found> all;
  private final @Nullable Found chosen;

  QuestionTimes(String folded, boolean plans, Instant at, ZoneId zone) {
    this.folded = folded;
    this.plans = plans;
    this.at = at;
    this.zone = zone;
    this.words = FoldedText.words(folded);
    this.dayFirst = Languages.isSpanish(words);
    this.all = found(dayFirst);
    this.chosen = choice(all);
  }

  /** The words that tell when something was said: where the range filters, no content. */
  static Set<String> words(String folded) {
    Set<String> words = new HashSet<>();
    for (Expression time : new TimeReader(Instant.EPOCH, ZoneOffset.UTC, false).read(folded)) {
      if (!isAbout(folded, time.start())) {
        words.addAll(FoldedText.words(folded.substring(time.start(), time.end())));
      }
    }
    return words;
  }

  @Nullable
  TimeRange range() {
    return chosen == null ? null : chosen.range();
  }

  /** From the first to the last moment that any of the times may mean, or null without a time. */
  @Nullable
  TimeRange span() {
    List<TimeRange> meant = new ArrayList<>();
    for (Found time : all) {
      meant.add(time.range());
      addMeant(meant, time.expression().otherRange(time.tense()));
      if (time.expression().comesAgain()) {
        addMeant(meant, time.expression().range(time.tense().other()));
      }
    }
    ambiguities().forEach(open -> meant.addAll(open.readings()));
    return meant.stream()
        .reduce((a, b) -> new TimeRange(
            a.start().isBefore(b.start()) ? a.start() : b.start(),
            a.end().isAfter(b.end()) ? a.end() : b.end(),
            zone))
        .orElse(null);
  }

  private static void addMeant(List<TimeRange> meant, @Nullable TimeRange range) {
    if (range != null) {
      meant.add(range);
    }
  }

  boolean boundsMessages() {
    if (chosen == null || chosen.kind() == Kind.EVENT || !chosen.range().start().isBefore(at)) {
      return false;
    }
    boolean told = SPEAKING.matcher(folded).find() && !chosen.range().end().isAfter(at);
    return !plans || chosen.kind() == Kind.STRETCH || told;
  }

  /**
   * Whether messages of any later time may tell of it: a season or a year that is over and told by how far
   * it is from now ("four years ago", "last summer"), in a question for what happened rather than for what
   * was said. A date with its year is what the person chose to look in, and a stretch up to the request
   * holds all that is told of it.
   */
  boolean isToldLater() {
    return chosen != null
        && chosen.kind() == Kind.SAID
        && isLongAgo(chosen)
        && !QuestionShape.isAboutMessages(folded);
  }

  private boolean isLongAgo(Found time) {
    TimeRange range = time.range();
    boolean isLong = Duration.between(range.start(), range.end()).compareTo(LONG) >= 0;
    boolean isFar = time.expression().isVague() && !range.end().isAfter(at.minus(YEAR));
    return (isLong || isFar)
        && !range.end().isAfter(at)
        && time.expression().isCountedFromNow(time.tense());
  }

  /** Whether several times are asked for, which are not the day of the talk and that of the event. */
  boolean areSeveral() {
    return chosen != null
        && all.stream()
            .anyMatch(other -> !other.range().equals(chosen.range())
                && (other.kind() == Kind.EVENT) == (chosen.kind() == Kind.EVENT));
  }

  /** What the chosen time could mean otherwise: the reading taken comes first. */
  List<Ambiguity> ambiguities() {
    List<Ambiguity> open = new ArrayList<>();
    if (chosen == null) {
      return open;
    }
    Expression expression = chosen.expression();
    if (expression.comesAgain() && !TenseRules.isTold(folded, words, plans)) {
      add(open, "past_or_future", expression.range(chosen.tense().other()));
    }
    TimeRange other = expression.otherRange(chosen.tense());
    add(open, expression.isVague() ? "exactness" : "which_week", other);
    if (NUMBERS.matcher(folded).find()) {
      Found swapped = choice(found(!dayFirst));
      add(open, "date_order", swapped == null ? null : swapped.range());
    }
    return open;
  }

  private void add(List<Ambiguity> open, String kind, @Nullable TimeRange other) {
    if (chosen != null && other != null && !other.equals(chosen.range())) {
      open.add(new Ambiguity(kind, List.of(chosen.range(), other)));
    }
  }

  private List<Found> found(boolean dayBeforeMonth) {
    List<Found> times = new ArrayList<>();
    Tense tense = TenseRules.of(words, plans);
    boolean present = TenseRules.isPresent(folded);
    for (Expression expression : new TimeReader(at, zone, dayBeforeMonth).read(folded)) {
      boolean about = expression.isCalendar() && isAbout(folded, expression.start());
      boolean event = about || (expression.isCalendar() && present);
      // "What did we say for Saturday" asks about a Saturday to come.
      Tense side = event ? Tense.FUTURE : tense;
      TimeRange range = expression.range(side);
      if (range == null) {
        continue;
      }
      boolean over = !range.end().isAfter(at);
      Kind kind = event && (about || !over)
          ? Kind.EVENT
          : expression.isCalendar() ? Kind.SAID : Kind.STRETCH;
      times.add(new Found(expression, side, range, kind));
    }
    return times;
  }

  /**
   * A date with its year stands for itself, "last week" may be counted from it; a day wins over a time long
   * ago beside it: "a few years back, as mentioned on June 26".
   */
  private @Nullable Found choice(List<Found> times) {
    return times.stream()
        .filter(time -> time.kind() != Kind.EVENT)
        .min(Comparator.comparing((Found time) -> !hasYear(time)).thenComparing(this::isLongAgo))
        .orElse(times.isEmpty() ? null : times.get(0));
  }

  private boolean hasYear(Found time) {
    return YEAR_NUMBER
        .matcher(folded.substring(time.expression().start(), time.expression().end()))
        .find();
  }

  private static boolean isAbout(String folded, int start) {
    return EVENT_BEFORE
            .matcher(folded.substring(Math.max(0, start - 24), start))
            .find()
        || folded.startsWith("for ", start)
        || folded.startsWith("about ", start);
  }
}
