package dev.askgateway.core;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a question asks for, compiled once before retrieval and kept with the turn, so that a replay
 * does not read "Saturday" anew (spec E2). Holds no message content.
 *
 * @param timeRange the range in question, or null for any time
 * @param filtersMessages whether the range bounds the messages' own times; false for the date of a
 *     plan, which people discuss on other days
 * @param people who is asked about, by the question's own names and descriptors
 * @param location the place of a question about people, the first if it names several
 * @param planStatus wanted states of plans, empty for any
 * @param platforms networks that the question is limited to, as lower-case platform ids ("whatsapp",
 *     "telegram"), empty for any
 * @param chatNames chats that the question is limited to, by the names it uses ("family", "Ana"): names
 *     to be looked up among the person's own chats, never ids; empty for any
 * @param places all places that the question names, with their wording
 * @param ambiguities what could be meant otherwise; the chosen reading is in the plan itself
 * @param needsPlanner why tables cannot represent the question (spec E13), or null when they can
 */
public record QueryPlan(
    Intent intent,
    @Nullable TimeRange timeRange,
    boolean filtersMessages,
    List<Person> people,
    @Nullable Location location,
    List<String> planStatus,
    @Nullable Ranking ranking,
    @Nullable RequestedAction requestedAction,
    List<String> platforms,
    List<String> chatNames,
    List<Place> places,
    List<Ambiguity> ambiguities,
    @Nullable Reason needsPlanner) {

  public enum Intent {
    IDENTITY_LOOKUP,
    PLAN_RECALL,
    PEOPLE_RANKING,
    CONVERSATION_QA,
    ACTION_REQUEST;

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Half-open: {@code start <= t < end}. */
  public record TimeRange(Instant start, Instant end, ZoneId timezone) {
    public TimeRange {
      if (!start.isBefore(end)) {
        throw new IllegalArgumentException("a range ends after it starts");
      }
    }

    private JsonObject toJson() {
      return new JsonObject()
          .put("start", start.toString())
          .put("end", end.toString())
          .put("timezone", timezone.getId());
    }
  }

  public record Person(
      String name, List<String> descriptors, @Nullable String chatId) {}

  public record Location(String city, @Nullable Instant asOf) {}

  public record Ranking(String kind, int limit) {}

  public record RequestedAction(String type, boolean requiresApproval) {}

  /** A place under its usual name, and as the question words it ("Mexico City", "CDMX"). */
  public record Place(String city, String wording) {}

  /**
   * A time with more than one reading.
   *
   * @param kind {@code past_or_future} ("Saturday"), {@code which_week} ("next Friday"), {@code
   *     date_order} ("3/5") or {@code exactness} ("a month ago")
   * @param readings the chosen one first
   */
  public record Ambiguity(String kind, List<TimeRange> readings) {
    public Ambiguity {
      readings = List.copyOf(readings);
    }
  }

  /** Why a question is beyond the tables; the code is what the plan keeps. */
  public enum Reason {
    /** Several times of which each has its own part in the question. */
    SEVERAL_TIMES,
    /** Several questions in one. */
    COMPOUND,
    /** Something is asked for by what it is not. */
    NEGATION,
    /** Two things are weighed against each other. */
    COMPARISON,
    /** Several people, each with a condition of their own. */
    SEVERAL_PEOPLE;

    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public QueryPlan {
    people = List.copyOf(people);
    planStatus = List.copyOf(planStatus);
    platforms = List.copyOf(platforms);
    chatNames = List.copyOf(chatNames);
    places = List.copyOf(places);
    ambiguities = List.copyOf(ambiguities);
  }

  /** A plan without filters of platforms and chats, clear in all it says. */
  public QueryPlan(
      Intent intent,
      @Nullable TimeRange timeRange,
      boolean filtersMessages,
      List<Person> people,
      @Nullable Location location,
      List<String> planStatus,
      @Nullable Ranking ranking,
      @Nullable RequestedAction requestedAction) {
    this(
        intent,
        timeRange,
        filtersMessages,
        people,
        location,
        planStatus,
        ranking,
        requestedAction,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  /** The same plan, whose time no longer bounds the messages. */
  public QueryPlan withoutMessageFilter() {
    return new QueryPlan(
        intent,
        timeRange,
        false,
        people,
        location,
        planStatus,
        ranking,
        requestedAction,
        platforms,
        chatNames,
        places,
        ambiguities,
        needsPlanner);
  }

  /** A plan that asks for nothing special. */
  public static QueryPlan plain() {
    return new QueryPlan(
        Intent.CONVERSATION_QA, null, false, List.of(), null, List.of(), null, null);
  }

  /** The plan as clients and the stored turn show it; absent parts are left out. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject().put("intent", intent.wire());
    if (timeRange != null) {
      json.put(
          "timeRange", timeRange.toJson().put("appliesTo", filtersMessages ? "messages" : "plans"));
    }
    JsonArray names = new JsonArray();
    for (Person person : people) {
      JsonObject entry = new JsonObject()
          .put("name", person.name())
          .put("descriptors", new JsonArray(person.descriptors()));
      if (person.chatId() != null) {
        entry.put("chatId", person.chatId());
      }
      names.add(entry);
    }
    json.put("people", names);
    if (location != null) {
      JsonObject place = new JsonObject().put("city", location.city());
      if (location.asOf() != null) {
        place.put("asOf", location.asOf().toString());
      }
      json.put("location", place);
    }
    json.put("planStatus", new JsonArray(planStatus));
    if (ranking != null) {
      json.put(
          "ranking", new JsonObject().put("kind", ranking.kind()).put("limit", ranking.limit()));
    }
    if (requestedAction != null) {
      json.put(
          "requestedAction",
          new JsonObject()
              .put("type", requestedAction.type())
              .put("requiresApproval", requestedAction.requiresApproval()));
    }
    putFilters(json);
    if (!ambiguities.isEmpty()) {
      JsonArray open = new JsonArray();
      ambiguities.forEach(ambiguity -> open.add(new JsonObject()
          .put("kind", ambiguity.kind())
          .put(
              "readings",
              new JsonArray(ambiguity.readings().stream().map(TimeRange::toJson).toList()))));
      json.put("ambiguities", open);
    }
    if (needsPlanner != null) {
      json.put("needsPlanner", needsPlanner.code());
    }
    return json;
  }

  private void putFilters(JsonObject json) {
    if (!platforms.isEmpty()) {
      json.put("platforms", new JsonArray(platforms));
    }
    if (!chatNames.isEmpty()) {
      json.put("chatNames", new JsonArray(chatNames));
    }
    if (!places.isEmpty()) {
      JsonArray named = new JsonArray();
      places.forEach(place ->
          named.add(new JsonObject().put("city", place.city()).put("wording", place.wording())));
      json.put("places", named);
    }
  }
}
