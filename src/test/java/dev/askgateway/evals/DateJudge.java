package dev.askgateway.evals;

import dev.askgateway.core.QueryPlan.TimeRange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a range is what the set means, as half-open instants; either of its past and future readings
 * counts. A day is [day, next day), a month or a range its own, a point is inside and the range at most
 * an hour long. Where the compiler follows another written convention than the set, {@link #right} names
 * it, so that the two can be counted apart:
 *
 * <ul>
 *   <li>"last day counted in": "from the 3rd to the 12th" ends with the 12th, not before it, and "after
 *       the 5th" begins behind it;
 *   <li>"hours kept": a stretch up to or from the request begins and ends at its time of day, not at
 *       midnight;
 *   <li>"from now": the next three days begin now, not tomorrow;
 *   <li>"other half of day": "at seven" without morning or evening, of which the set's parsers name the
 *       first and its model both;
 *   <li>"wide part of day": a morning begins at five and a night ends at four; the set's hours lie inside
 *       and at most four hours of ours outside on each side.
 * </ul>
 */
final class DateJudge {
  private static final String SAME = "as the set";
  private static final List<String> POINTLESS = List.of("duration", "set", "timezone");
  private static final Duration PART = Duration.ofHours(4);
  private static final Pattern TO = Pattern.compile(
      "(?i).*(?:\\b(?:to|until|through|thru|and|between|from|til|by|late as|than|rest|ending)\\b|[-–~]).*");
  private static final Pattern TO_COME =
      Pattern.compile("(?i).*\\b(?:next|upcoming|future|coming|following)\\b.*");

  private final LocalDateTime at;

  /** What the set says; an open side is null. */
  record Reading(
      String type,
      @Nullable LocalDateTime start,
      @Nullable LocalDateTime end,
      String text,
      boolean after) {}

  DateJudge(String input, LocalDateTime at) {
    this.at = at;
  }

  /** How a range is right by one of the results, or empty; no results ask for no range. */
  String right(JsonArray results, @Nullable TimeRange range) {
    String how = rightAt(results, range, Duration.ZERO);
    boolean told = results
        .encode()
        .matches("(?is).*\\d\\s*[ap]\\.?\\s?m\\b.*|.*(?:morning|noon|evening|night).*");
    return how.isEmpty()
            && !told
            && !rightAt(results, range, Duration.ofHours(12)).isEmpty()
        ? "other half of day"
        : how;
  }

  private String rightAt(JsonArray results, @Nullable TimeRange range, Duration later) {
    if (results.isEmpty() || range == null) {
      return results.isEmpty() && range == null ? SAME : "";
    }
    if (!later.isZero() && Duration.between(range.start(), range.end()).toHours() > 12) {
      return "";
    }
    LocalDateTime start = LocalDateTime.ofInstant(range.start().minus(later), ZoneOffset.UTC);
    LocalDateTime end = LocalDateTime.ofInstant(range.end().minus(later), ZoneOffset.UTC);
    String best = onDate(results, start, end);
    for (Object result : results) {
      for (Reading reading : readings((JsonObject) result)) {
        String how = how(reading, start, end);
        best = best.isEmpty() || how.equals(SAME) ? how : best;
      }
    }
    return best;
  }

  /** A date and its time of day, told apart by the set, are one. */
  private String onDate(JsonArray results, LocalDateTime start, LocalDateTime end) {
    if (results.size() != 2
        || !"date".equals(results.getJsonObject(0).getString("type"))
        || !"time".equals(results.getJsonObject(1).getString("type"))) {
      return "";
    }
    for (Reading date : readings(results.getJsonObject(0))) {
      for (Reading time : readings(results.getJsonObject(1))) {
        LocalDateTime moment = date.start() == null || time.start() == null
            ? at
            : date.start().with(time.start().toLocalTime());
        if (!how(new Reading("datetime", moment, moment, "", false), start, end).isEmpty()) {
          return SAME;
        }
      }
    }
    return "";
  }

  private String how(Reading set, LocalDateTime start, LocalDateTime end) {
    if (set.type().equals("time") || set.type().equals("timerange")) {
      return ofDay(set, start, end);
    }
    if (set.start() == null) {
      return set.end() == null ? "" : edge(set, end, set.end());
    }
    if (set.end() == null) {
      return start.equals(set.start())
          ? SAME
          : set.after() && dayBehind(set.start(), start) ? "last day counted in" : "";
    }
    if (set.start().equals(set.end())) {
      boolean inside = !start.isAfter(set.start()) && end.isAfter(set.start());
      return inside && Duration.between(start, end).compareTo(Duration.ofHours(1)) <= 0 ? SAME : "";
    }
    if (start.equals(set.start()) && end.equals(set.end())) {
      return SAME;
    }
    boolean from = start.equals(set.start()) || start.equals(at) && cut(start).equals(set.start());
    if (from && TO.matcher(set.text()).matches() && unitLater(set.end(), end)) {
      return "last day counted in";
    }
    if (cut(start).equals(set.start()) && cut(end).equals(set.end()) && touchesNow(start, end)) {
      return "hours kept";
    }
    if (TO_COME.matcher(set.text()).matches()
        && start.equals(at)
        && cut(start).plusDays(1).equals(set.start())
        && cut(end).plusDays(1).equals(set.end())) {
      return "from now";
    }
    boolean hours = set.type().equals("datetimerange") && near(set, start, end);
    return hours ? "wide part of day" : "";
  }

  private boolean touchesNow(LocalDateTime start, LocalDateTime end) {
    return start.equals(at) || end.equals(at);
  }

  private static String edge(Reading set, LocalDateTime end, LocalDateTime setEnd) {
    return end.equals(setEnd)
        ? SAME
        : TO.matcher(set.text()).matches() && unitLater(setEnd, end) ? "last day counted in" : "";
  }

  /** A day, month, quarter or year more, which is what the last one named is. */
  private static boolean unitLater(LocalDateTime set, LocalDateTime end) {
    return dayBehind(set, end)
        || set.getDayOfMonth() == 1
            && (set.plusMonths(1).equals(end)
                || set.plusMonths(3).equals(end)
                || set.getDayOfYear() == 1 && set.plusYears(1).equals(end))
        || set.plusWeeks(1).equals(end);
  }

  private static boolean dayBehind(LocalDateTime set, LocalDateTime ours) {
    return set.toLocalTime().equals(LocalTime.MIDNIGHT) && set.plusDays(1).equals(ours);
  }

  private static LocalDateTime cut(LocalDateTime time) {
    return time.toLocalDate().atStartOfDay();
  }

  private static boolean near(Reading set, LocalDateTime start, LocalDateTime end) {
    return !start.isAfter(set.start())
        && !end.isBefore(set.end())
        && Duration.between(start, set.start()).compareTo(PART) <= 0
        && Duration.between(set.end(), end).compareTo(PART.plusSeconds(1)) <= 0;
  }

  /** A time without a date: right on the day of the request or the one beside it. */
  private String ofDay(Reading set, LocalDateTime start, LocalDateTime end) {
    for (int day = -1; day <= 1; day++) {
      LocalDate date = at.toLocalDate().plusDays(day);
      Reading dated = new Reading(
          "datetimerange",
          set.start() == null ? null : date.atTime(set.start().toLocalTime()),
          set.end() == null ? null : date.atTime(set.end().toLocalTime()),
          set.text(),
          set.after());
      String how = how(dated, start, end);
      if (!how.isEmpty()) {
        return how;
      }
    }
    return "";
  }

  static List<Reading> readings(JsonObject result) {
    List<Reading> readings = new ArrayList<>();
    JsonArray values = result.getJsonArray("values");
    if (POINTLESS.contains(result.getString("type"))) {
      return readings;
    }
    if (values == null) {
      for (String side : List.of("past", "future")) {
        JsonObject value = result.getJsonObject(side);
        if (value != null) {
          add(readings, result, value);
        }
      }
      return readings;
    }
    values.forEach(value -> add(readings, result, (JsonObject) value));
    return readings;
  }

  private static void add(List<Reading> readings, JsonObject result, JsonObject value) {
    String type = value.getString("type", result.getString("type"));
    String text = result.getString("text");
    boolean after = "after".equals(value.getString("Mod"));
    String point = first(value, "date", "dateTime", "value", "time");
    if (point != null && (point.contains("-") || point.contains(":"))) {
      LocalDateTime start = moment(point);
      boolean day = point.length() == "2016-01-01".length();
      readings.add(new Reading(type, start, day ? start.plusDays(1) : start, text, after));
      return;
    }
    String start = first(value, "start", "startDate", "startDateTime", "startTime");
    String end = first(value, "end", "endDate", "endDateTime", "endTime");
    if (start != null || end != null) {
      LocalDateTime stop = end == null ? null : moment(end);
      // The set ends a day a second before midnight.
      boolean last = stop != null && stop.toLocalTime().equals(LocalTime.of(23, 59, 59));
      readings.add(new Reading(
          type,
          start == null ? null : moment(start),
          last ? stop.plusSeconds(1) : stop,
          text,
          after));
    }
  }

  private static @Nullable String first(JsonObject value, String... names) {
    for (String name : names) {
      if (value.containsKey(name)) {
        return value.getString(name);
      }
    }
    return null;
  }

  private static LocalDateTime moment(String text) {
    String iso = text.replace(' ', 'T');
    if (!iso.contains("-")) {
      return LocalDate.EPOCH.atTime(LocalTime.parse(iso));
    }
    return iso.contains("T") ? LocalDateTime.parse(iso) : LocalDate.parse(iso).atStartOfDay();
  }
}
