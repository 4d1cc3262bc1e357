package dev.askgateway.query.time;

import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a named stretch: "early May", "the end of next week", "mid 2020", "earlier this month", "the
 * rest of the week". A month falls into halves and a middle of eleven days, a week into Monday to
 * Wednesday, Tuesday to Friday and Thursday to Sunday, a year into thirds, or halves when early or late.
 */
final class Edges {
  private static final List<String> EARLY = Numbers.phrases(
      "early in, early, beginning of, the beginning of, start of, the start of, a principios de, principios de,"
          + " a principios del, a inicios de, comienzos de, a comienzos de");
  private static final List<String> MID = Numbers.phrases(
      "mid -, mid, middle of, the middle of, a mediados de, mediados de, a mediados del");
  private static final List<String> LATE = Numbers.phrases(
      "late in, late, end of, the end of, a finales de, finales de, a finales del, a fines de, fines de,"
          + " final de, el final de");
  private static final List<String> EARLIER = Numbers.phrases("earlier in, earlier");
  private static final List<String> LATER =
      Numbers.phrases("later in, later, rest of, the rest of, rest, el resto de, resto de");
  private static final List<String> ARTICLES = List.of("the", "el", "la", "current", "this");

  private enum Part {
    EARLY,
    MID,
    LATE,
    SO_FAR,
    REST
  }

  private Edges() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(
        part(t, i, EARLY, Part.EARLY),
        part(t, i, MID, Part.MID),
        part(t, i, LATE, Part.LATE),
        part(t, i, EARLIER, Part.SO_FAR),
        part(t, i, LATER, Part.REST),
        shortened(t, i));
  }

  private static @Nullable Parsed part(Tokens t, int i, List<String> words, Part part) {
    int at = t.afterAny(i, words);
    if (at < 0) {
      return null;
    }
    Parsed whole = Rules.longest(
        Periods.at(t, at),
        Months.at(t, at),
        YearParts.at(t, at),
        RelativeDays.at(t, at),
        articled(t, at));
    return whole == null
        ? null
        : new Parsed(
            whole.end(),
            (now, tense) -> {
              Span span = whole.reading().at(now, tense);
              return span == null ? null : cut(span, part, now, !t.is(at - 1, "of"));
            },
            whole.floating(),
            Parsed.Shape.CALENDAR);
  }

  /** "the week", "month", "day": this one, or with an article the named one. */
  private static @Nullable Parsed articled(Tokens t, int i) {
    int noun = t.afterAny(i, ARTICLES) > 0 ? i + 1 : i;
    Grain grain = Vocabulary.unit(t, noun);
    if (grain == null || grain.isOfClock() || (t.at(noun).endsWith("s") && !t.is(noun, "mes"))) {
      Parsed named = noun > i ? Periods.at(t, noun) : null;
      return named == null && noun > i ? Months.at(t, noun) : named;
    }
    return Periods.relative(noun + 1, grain, 0);
  }

  /** "EOD", "EOM", "EOY". */
  private static @Nullable Parsed shortened(Tokens t, int i) {
    Grain grain = t.is(i, "eod")
        ? Grain.DAY
        : t.is(i, "eom") ? Grain.MONTH : t.is(i, "eoy") ? Grain.YEAR : null;
    return grain == null
        ? null
        : Parsed.fixed(
            i + 1, (now, tense) -> cut(grain.around(now.today(), 0), Part.LATE, now, false));
  }

  private static @Nullable Span cut(Span span, Part part, Now now, boolean halves) {
    LocalDate start = span.date();
    LocalDate end = span.end().toLocalDate();
    boolean day = span.grain() == Grain.DAY;
    if (part == Part.SO_FAR || part == Part.REST) {
      boolean running = !now.local().isBefore(span.start()) && now.local().isBefore(span.end());
      if (!running) {
        return cut(span, part == Part.SO_FAR ? Part.EARLY : Part.LATE, now, halves);
      }
      var split = day ? now.local() : now.today().atStartOfDay();
      Span cut = part == Part.SO_FAR
          ? Span.of(span.start(), split, Grain.OTHER)
          : Span.of(split, span.end(), Grain.OTHER);
      return cut.start().isBefore(cut.end()) ? cut : span;
    }
    if (day) {
      int hour = part == Part.EARLY ? 0 : part == Part.MID ? 10 : 23;
      int hours = part == Part.EARLY ? 8 : part == Part.MID ? 4 : 1;
      var from = span.start().plusHours(hour);
      return Span.of(from, from.plusHours(hours), Grain.HOUR);
    }
    return switch (span.grain()) {
      case WEEK -> days(start, part, 3, 1, 5, 3, end);
      case MONTH -> days(start, part, 15, 9, 20, 15, end);
      case YEAR -> halves && part != Part.MID ? half(start, end, part) : thirds(start, part, 4);
      case DECADE -> decade(start, part);
      default -> proportional(start, end, part);
    };
  }

  private static Span days(
      LocalDate start, Part part, int early, int midFrom, int midTo, int late, LocalDate end) {
    return switch (part) {
      case EARLY -> Span.days(start, start.plusDays(early), Grain.OTHER);
      case MID -> Span.days(start.plusDays(midFrom), start.plusDays(midTo), Grain.OTHER);
      default -> Span.days(start.plusDays(late), end, Grain.OTHER);
    };
  }

  private static Span half(LocalDate start, LocalDate end, Part part) {
    LocalDate middle = start.plusMonths(6);
    return part == Part.EARLY
        ? Span.days(start, middle, Grain.OTHER)
        : Span.days(middle, end, Grain.OTHER);
  }

  private static Span thirds(LocalDate start, Part part, int months) {
    LocalDate from =
        start.plusMonths(part == Part.EARLY ? 0 : part == Part.MID ? months : 2L * months);
    return Span.days(from, from.plusMonths(months), Grain.OTHER);
  }

  private static Span decade(LocalDate start, Part part) {
    LocalDate from = start.plusYears(part == Part.EARLY ? 0 : part == Part.MID ? 3 : 7);
    return Span.days(from, from.plusYears(part == Part.MID ? 4 : 3), Grain.OTHER);
  }

  private static Span proportional(LocalDate start, LocalDate end, Part part) {
    long third = Math.max(1, (end.toEpochDay() - start.toEpochDay()) / 3);
    LocalDate from = part == Part.EARLY
        ? start
        : part == Part.MID ? start.plusDays(third) : end.minusDays(third);
    return Span.days(from, part == Part.LATE ? end : from.plusDays(third), Grain.OTHER);
  }
}
