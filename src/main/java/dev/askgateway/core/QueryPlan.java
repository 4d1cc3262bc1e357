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
 * @param planStatus wanted states of plans, empty for any
 */
public record QueryPlan(
    Intent intent,
    @Nullable TimeRange timeRange,
    boolean filtersMessages,
    List<Person> people,
    @Nullable Location location,
    List<String> planStatus,
    @Nullable Ranking ranking,
    @Nullable RequestedAction requestedAction) {

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
  }

  public record Person(
      String name, List<String> descriptors, @Nullable String chatId) {}

  public record Location(String city, @Nullable Instant asOf) {}

  public record Ranking(String kind, int limit) {}

  public record RequestedAction(String type, boolean requiresApproval) {}

  public QueryPlan {
    people = List.copyOf(people);
    planStatus = List.copyOf(planStatus);
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
          "timeRange",
          new JsonObject()
              .put("start", timeRange.start().toString())
              .put("end", timeRange.end().toString())
              .put("timezone", timeRange.timezone().getId())
              .put("appliesTo", filtersMessages ? "messages" : "plans"));
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
    return json;
  }
}
