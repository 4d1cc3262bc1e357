package dev.askgateway.evals;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which expressions of the set could be a time in a question about messages, and of what kind they are. */
final class DateCases {
  private static final Pattern ADDRESS = Pattern.compile("www\\.|https?://");
  private static final Pattern SLOT = Pattern.compile(
      "(?i).*(?:\\b(?:for|less than) .*(?:hours?|days?|weeks?),? (?:from|after)\\b|\\bfrom .* for \\d"
          + "|(?:day|week)s? starting (?!on february|february)).*");
  private static final Pattern VAGUE =
      Pattern.compile("(?i).*\\b(?:one|1|three|another) (?:morning|evening|night|lunchtime)\\b.*");
  private static final Pattern NOW =
      Pattern.compile("(?i)now|at the present time|.*\\bseconds\\b.*");
  private static final Pattern MARKUP = Pattern.compile(".*(?:<div>|<>).*");
  private static final List<String> POINTLESS = List.of("duration", "set", "timezone");

  private DateCases() {}

  /**
   * Why an expression can be no filter of messages, or null when it can be one. Left out are lengths and
   * habits without a date, time zones (a question is in the account's zone), times before 1970, what the
   * set itself does not resolve, dates inside web addresses, entries for an extractor of one type or for
   * dates and times split apart (the same input has its whole reading elsewhere), slots of a calendar given
   * by a start and a length, uncertain times ("one morning"), now and seconds, and times that hang on a
   * meal or a school day.
   */
  static @Nullable String leftOut(String id, String input, JsonArray results) {
    if (results.isEmpty()) {
      return id.contains("Parser/") ? "none, by an extractor of one type" : null;
    }
    if (id.startsWith("DateTimeModelSplitDateAndTime")) {
      return "date and time split apart";
    }
    if (ADDRESS.matcher(input).find()) {
      return "in a web address";
    }
    String why = shape(input, results);
    if (why != null) {
      return why;
    }
    List<JsonObject> all = results.stream().map(JsonObject.class::cast).toList();
    String text = results.encode();
    if (text.contains("utcOffsetMins")
        || all.stream().anyMatch(r -> "timezone".equals(r.getString("type")))) {
      return "time zone";
    }
    List<JsonObject> anchored =
        all.stream().filter(r -> !POINTLESS.contains(r.getString("type"))).toList();
    if (anchored.isEmpty()) {
      return all.stream().anyMatch(r -> "set".equals(r.getString("type")))
          ? "habit (every day)"
          : "length without a date (3 hours)";
    }
    if (anchored.stream().allMatch(DateCases::unresolved)) {
      return "not resolved by the set";
    }
    if (anchored.stream().allMatch(DateCases::beforeMessages)) {
      return "before 1970";
    }
    return anchored.stream()
            .allMatch(r -> r.getString("text").matches("(?i)after (?:breakfast|dinner|school)"))
        ? "hangs on a meal"
        : null;
  }

  private static @Nullable String shape(String input, JsonArray results) {
    String text = results.getJsonObject(0).getString("text");
    if (SLOT.matcher(text).matches()) {
      return "slot of a calendar (a start and a length)";
    }
    if (VAGUE.matcher(input).matches()) {
      return "no certain time (one morning)";
    }
    if (results.size() == 1 && NOW.matcher(text).matches()) {
      return "now, seconds";
    }
    return MARKUP.matcher(input).matches() ? "in markup" : null;
  }

  private static boolean unresolved(JsonObject result) {
    String text = result.encode();
    return text.contains("not resolved") || DateJudge.readings(result).isEmpty();
  }

  private static boolean beforeMessages(JsonObject result) {
    return !"time".equals(result.getString("type"))
        && !"timerange".equals(result.getString("type"))
        && DateJudge.readings(result).stream()
            .allMatch(reading -> reading.end() != null && reading.end().getYear() <= 1970);
  }

  /** The types of an entry's results, joined. */
  static String kind(JsonArray results) {
    TreeSet<String> types = new TreeSet<>();
    results.forEach(result -> types.add(((JsonObject) result).getString("type")));
    types.remove("");
    return types.isEmpty()
        ? "none"
        : results.size() > 1 ? "several: " + String.join("+", types) : types.first();
  }

  static String shown(JsonArray results) {
    StringBuilder text = new StringBuilder();
    for (Object result : results) {
      JsonObject json = (JsonObject) result;
      text.append('<').append(json.getString("text")).append("> ").append(json.getString("type"));
      DateJudge.readings(json)
          .forEach(reading ->
              text.append(' ').append(reading.start()).append("..").append(reading.end()));
      text.append("; ");
    }
    return text.toString();
  }
}
