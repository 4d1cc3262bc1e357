package dev.askgateway.query.time;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * On one side of a point: "since March", "after Friday", "before 2016", "until the 5th". "Until" counts
 * the named day in, "before" and "after" do not. What lies behind ends at the request.
 */
final class Bounds {
  private static final List<String> SINCE = Numbers.phrases(
      "since, starting from, starting on, starting, beginning, as of, no earlier than, a partir de, a partir"
          + " del, desde el, desde, on or after, > =, as early as");
  private static final List<String> AFTER =
      Numbers.phrases("after, later than, greater than, despues de, despues del, tras, >");
  private static final List<String> BEFORE =
      Numbers.phrases("before, prior to, earlier than, less than, antes de, antes del, <");
  private static final List<String> UNTIL = Numbers.phrases(
      "until, till, by, up to, no later than, not later than, through, hasta el, hasta, before or in, on or"
          + " before, on or earlier than, as late as, ending with, ending on, < =, para antes del");
  private static final Set<String> ARTICLES = Set.of("the", "el", "la", "around", "year");

  private enum Side {
    SINCE,
    AFTER,
    BEFORE,
    UNTIL
  }

  private Bounds() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(
        bound(t, i, SINCE, Side.SINCE),
        bound(t, i, AFTER, Side.AFTER),
        bound(t, i, BEFORE, Side.BEFORE),
        bound(t, i, UNTIL, Side.UNTIL),
        orLater(t, i),
        toDate(t, i),
        lasting(t, i));
  }

  private static @Nullable Parsed bound(Tokens t, int i, List<String> words, Side side) {
    int at = t.afterAny(i, words);
    if (at < 0) {
      return null;
    }
    Parsed point =
        Rules.longest(Expressions.point(t, at), Expressions.point(t, t.skip(at, ARTICLES)));
    return point == null || t.is(i - 1, "every")
        ? null
        : of(point, side, t.is(i, "since") || t.is(i, "desde"));
  }

  private static Parsed of(Parsed point, Side side, boolean past) {
    return Parsed.stretch(point.end(), (now, tense) -> {
      Span span = point.reading().at(now, past ? Tense.PAST : tense);
      return span == null ? null : cut(span, side, now, tense);
    });
  }

  private static @Nullable Span cut(Span span, Side side, Now now, Tense tense) {
    LocalDateTime edge =
        side == Side.SINCE || side == Side.BEFORE ? Ranges.begin(span) : Ranges.finish(span);
    if (side == Side.SINCE || side == Side.AFTER) {
      return Span.of(edge, edge.isBefore(now.local()) ? now.local() : Span.END, Grain.OTHER);
    }
    boolean ahead = tense == Tense.FUTURE && edge.isAfter(now.local());
    LocalDateTime start = ahead ? now.local() : Span.BEGINNING;
    return start.isBefore(edge) ? Span.of(start, edge, Grain.OTHER) : null;
  }

  /** "2018 or later", "1/1/2016 and after". */
  private static @Nullable Parsed orLater(Tokens t, int i) {
    Parsed point = Expressions.point(t, i);
    int end = point == null
        ? -1
        : t.afterAny(
            point.end(),
            List.of(
                "or later",
                "and after",
                "and later",
                "or after",
                "onwards",
                "onward",
                "en adelante"));
    return point == null || end < 0
        ? null
        : new Parsed(end, of(point, Side.SINCE, false).reading(), false, Parsed.Shape.STRETCH);
  }

  /** "to date", "hasta ahora": all there is. */
  private static @Nullable Parsed toDate(Tokens t, int i) {
    int end = t.afterAny(i, List.of("to date", "until now", "up to now", "hasta ahora", "so far"));
    boolean set = end < 0 || t.is(i - 1, "up") || t.is(i - 1, "-");
    return set
        ? null
        : Parsed.stretch(
            end,
            (now, tense) -> Span.BEGINNING.isBefore(now.local())
                ? Span.of(Span.BEGINNING, now.local(), Grain.OTHER)
                : null);
  }

  /** "a week starting tomorrow", "for 3 days from the 5th". */
  private static @Nullable Parsed lasting(Tokens t, int i) {
    Lengths length = Lengths.at(t, t.is(i, "for") ? i + 1 : i);
    int at = length == null ? -1 : t.skip(length.end(), Set.of(","));
    boolean starts =
        t.is(at, "starting") || t.is(at, "beginning") || (t.is(i, "for") && t.is(at, "from"));
    Parsed start =
        starts ? Moments.at(t, t.is(at + 1, "on") || t.is(at + 1, "from") ? at + 2 : at + 1) : null;
    return length == null || start == null || length.isNothing()
        ? null
        : Parsed.fixed(start.end(), (now, tense) -> {
          Span span = start.reading().at(now, tense);
          return span == null
              ? null
              : Span.of(Ranges.begin(span), length.from(Ranges.begin(span), 1), Grain.OTHER);
        });
  }
}
