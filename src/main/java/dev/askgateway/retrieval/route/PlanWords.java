package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.query.FoldedText;
import dev.askgateway.query.time.Tense;
import dev.askgateway.query.time.TimeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which day a message speaks of, read as its writer meant it when it was written: "tomorrow" of a Friday
 * is a Saturday.
 */
final class PlanWords {
  /** Words of days and dates, for the database; wider than what is meant. */
  static final String MAY_NAME_A_DAY =
      "\\m(mon|tues?|wed|thur?s?|fri|sat|sun)(day|nesday|sday|rsday|urday)?s?\\M"
          + "|\\m(today|tonight|tomorrow|weekend|next week|hoy|ma[nñ]ana|finde|fin de semana|esta (noche|tarde)"
          + "|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|semana)\\M"
          + "|\\m(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|ene|abr|ago|dic)[a-z]*\\M"
          + "|\\m\\d{1,2}(st|nd|rd|th)\\M|\\m\\d{1,2}[./-]\\d{1,2}\\M|\\m\\d{4}-\\d\\d-\\d\\d\\M|\\mel \\d{1,2}\\M";

  /** Longer stretches ("this month") name no day. */
  private static final Duration DAYS = Duration.ofDays(4);

  private static final Pattern PLAN = Pattern.compile(
      "\\b(?:plans?|dinner|lunch|brunch|breakfast|drinks?|coffee|party|meet(?:ing)?|see you|let's|lets|shall we|wanna"
          + "|want to (?:go|come|join)|come (?:over|to|by)|join|book(?:ed|ing)?|reserv\\p{L}+|tickets?|concert|game|match"
          + "|movie|film|show|trip|hike|picnic|barbecue|bbq|wedding|birthday|appointment|date|hang out|catch up"
          + "|pick (?:you|me|us) up|at \\d{1,2}(?::\\d\\d)?|cancel\\p{L}*|moved|postpon\\p{L}+|resched\\p{L}+"
          + "|planes|cena\\p{L}*|comida|comemos|almuerzo|almorzamos|desayuno|desayunamos|copas|cafe|fiesta|quedamos|quedar"
          + "|nos vemos|vernos|vamos|vienes|te apuntas|entradas|concierto|partido|cine|peli|viaje|boda|cumple\\p{L}*|cita"
          + "|reunion|a las \\d{1,2}|cancelad\\p{L}+|aplazad\\p{L}+)\\b");

  private PlanWords() {}

  /** Whether it sounds like something people do together. */
  static boolean isPlan(String text) {
    return PLAN.matcher(FoldedText.of(text)).find();
  }

  /**
   * Whether it names a day of a range. A date that both orders of day and month could read counts in
   * both.
   *
   * @param at when it was written
   */
  static boolean names(String text, Instant at, TimeRange range) {
    String folded = FoldedText.of(text);
    return names(folded, at, range, false)
        || (folded.matches(".*\\d[./-]\\d.*") && names(folded, at, range, true));
  }

  private static boolean names(String folded, Instant at, TimeRange range, boolean dayFirst) {
    ZoneId zone = range.timezone();
    return new TimeReader(at, zone, dayFirst)
        .read(folded).stream()
            .filter(TimeReader.Expression::isCalendar)
            .anyMatch(time -> isOf(range, time.range(Tense.FUTURE)));
  }

  private static boolean isOf(TimeRange asked, @Nullable TimeRange named) {
    return named != null
        && Duration.between(named.start(), named.end()).compareTo(DAYS) <= 0
        && named.start().isBefore(asked.end())
        && asked.start().isBefore(named.end());
  }
}
