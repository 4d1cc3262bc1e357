package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.Person;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a model proposes for a question (spec E13), as it came and no further than its schema: a member of
 * another type, an unknown value of a list of values or a range that ends before it starts makes all of
 * it void. A member that is left out says nothing, and one that nobody knows is not read.
 *
 * @param intent null: as compiled
 * @param time null: as compiled
 */
public record Proposal(
    @Nullable Intent intent,
    @Nullable Time time,
    List<Person> people,
    List<String> platforms,
    List<String> chatNames,
    List<String> places,
    List<String> planStatus) {

  /** Others need more than a name: a ranking its kind, an action its approval. */
  static final List<Intent> INTENTS =
      List.of(Intent.IDENTITY_LOOKUP, Intent.PLAN_RECALL, Intent.CONVERSATION_QA);

  private static final String MESSAGES = "messages";
  private static final String PLANS = "plans";
  private static final int MOST_ENTRIES = 20;
  private static final int MOST_CHARS = 120;
  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 2200;

  /**
   * A half-open range of local times, of which at least one is there.
   *
   * @param start the first moment, or null for all before the end
   * @param end the first moment after it, or null for all after the start
   * @param ofMessages whether it tells when something was said, rather than when a plan is for
   */
  record Time(@Nullable LocalDateTime start, @Nullable LocalDateTime end, boolean ofMessages) {}

  /** It does not follow the schema. */
  private static final class NoProposal extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoProposal() {
      super("no proposal", null, false, false);
    }
  }

  /** The JSON schema of a proposal, in the part of the standard that all vendors take. */
  public static JsonObject schema() {
    JsonObject time = object(new JsonObject()
        .put("start", text("Local time YYYY-MM-DDTHH:MM, in the range. Empty: no first moment."))
        .put("end", text("Local time YYYY-MM-DDTHH:MM, after the range. Empty: no last moment."))
        .put("appliesTo", oneOf(List.of(MESSAGES, PLANS))));
    JsonObject person = object(new JsonObject()
        .put("name", text("As the question writes it; empty for a person it only describes."))
        .put("descriptors", listOf(text("A word of the question that describes the person."))));
    return object(new JsonObject()
        .put("intent", oneOf(INTENTS.stream().map(Intent::wire).toList()))
        .put("timeRange", time)
        .put("people", listOf(person))
        .put("platforms", listOf(oneOf(ChatRules.platforms())))
        .put("chatNames", listOf(text("The name of a chat, as the question writes it.")))
        .put("places", listOf(text("A place, as the question writes it.")))
        .put("planStatus", listOf(oneOf(IntentRules.planStates()))));
  }

  private static JsonObject object(JsonObject members) {
    return new JsonObject()
        .put("type", "object")
        .put("properties", members)
        .put("required", new JsonArray(List.copyOf(members.fieldNames())))
        .put("additionalProperties", false);
  }

  private static JsonObject text(String description) {
    return new JsonObject().put("type", "string").put("description", description);
  }

  private static JsonObject oneOf(List<String> values) {
    return new JsonObject().put("type", "string").put("enum", new JsonArray(values));
  }

  private static JsonObject listOf(JsonObject entries) {
    return new JsonObject().put("type", "array").put("items", entries);
  }

  /** Reads a model's whole answer; empty when it is no proposal. */
  static Optional<Proposal> read(String answer) {
    try {
      JsonObject json = new JsonObject(answer);
      return Optional.of(new Proposal(
          intent(json),
          time(json),
          people(json),
          values(json, "platforms", ChatRules.platforms()),
          texts(json, "chatNames"),
          texts(json, "places"),
          values(json, "planStatus", IntentRules.planStates())));
    } catch (DecodeException | DateTimeException | NoProposal none) {
      return Optional.empty();
    }
  }

  private static @Nullable Intent intent(JsonObject json) {
    String wire = textOf(json.getValue("intent"));
    if (wire.isEmpty()) {
      return null;
    }
    return INTENTS.stream()
        .filter(intent -> intent.wire().equals(wire))
        .findFirst()
        .orElseThrow(NoProposal::new);
  }

  private static @Nullable Time time(JsonObject json) {
    Object value = json.getValue("timeRange");
    if (value == null) {
      return null;
    }
    JsonObject range = objectOf(value);
    LocalDateTime start = moment(textOf(range.getValue("start")));
    LocalDateTime end = moment(textOf(range.getValue("end")));
    String appliesTo = textOf(range.getValue("appliesTo"));
    require(appliesTo.isEmpty() || List.of(MESSAGES, PLANS).contains(appliesTo));
    require(start == null || end == null || start.isBefore(end));
    return start == null && end == null ? null : new Time(start, end, appliesTo.equals(MESSAGES));
  }

  private static @Nullable LocalDateTime moment(String text) {
    if (text.isEmpty()) {
      return null;
    }
    LocalDateTime moment = LocalDateTime.parse(text);
    require(moment.getYear() >= FIRST_YEAR && moment.getYear() < LAST_YEAR);
    return moment;
  }

  private static List<Person> people(JsonObject json) {
    List<Person> people = new ArrayList<>();
    for (Object entry : list(json, "people")) {
      JsonObject person = objectOf(entry);
      people.add(new Person(textOf(person.getValue("name")), texts(person, "descriptors"), null));
    }
    return people;
  }

  private static List<String> values(JsonObject json, String member, List<String> known) {
    List<String> values = texts(json, member);
    require(known.containsAll(values));
    return values;
  }

  private static List<String> texts(JsonObject json, String member) {
    return list(json, member).stream().map(Proposal::textOf).distinct().toList();
  }

  private static List<Object> list(JsonObject json, String member) {
    Object value = json.getValue(member);
    if (value == null) {
      return List.of();
    }
    require(value instanceof JsonArray);
    List<Object> entries = ((JsonArray) value).stream().toList();
    require(entries.size() <= MOST_ENTRIES);
    require(entries.stream().noneMatch(Objects::isNull));
    return entries;
  }

  private static JsonObject objectOf(Object value) {
    require(value instanceof JsonObject);
    return (JsonObject) value;
  }

  private static String textOf(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    require(value instanceof String);
    String text = ((String) value).strip();
    require(text.length() <= MOST_CHARS);
    return text;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new NoProposal();
    }
  }
}
