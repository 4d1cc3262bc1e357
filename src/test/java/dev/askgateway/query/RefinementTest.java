package dev.askgateway.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.Person;
import dev.askgateway.core.QueryPlan.Place;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A model's proposal for a plan")
class RefinementTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");
  /** A Tuesday. */
  private static final Instant TUESDAY = Instant.parse("2026-09-08T12:00:00Z");

  private static final String TIMES =
      "What did Ana say yesterday about the boat, and what did Béa write on Friday?";

  private final QueryCompiler compiler = new QueryCompiler();

  private QueryPlan compiled(String question) {
    return compiler.compile(question, TUESDAY, MADRID);
  }

  private Optional<QueryPlan> refined(String question, String proposal) {
    return compiler.refined(compiled(question), proposal, question, TUESDAY, MADRID);
  }

  private QueryPlan refined(String question, JsonObject proposal) {
    return refined(question, proposal.encode()).orElseThrow();
  }

  private static JsonObject range(String start, String end, String appliesTo) {
    return new JsonObject()
        .put(
            "timeRange",
            new JsonObject().put("start", start).put("end", end).put("appliesTo", appliesTo));
  }

  private static JsonObject list(String member, Object... entries) {
    return new JsonObject().put(member, new JsonArray(List.of(entries)));
  }

  @Test
  @DisplayName("takes in several times at once, half-open, in the account's zone")
  void severalTimes() {
    assertThat(compiled(TIMES).timeRange().start()).isEqualTo("2026-09-06T22:00:00Z");

    QueryPlan plan = refined(TIMES, range("2026-09-04T00:00", "2026-09-08T00:00", "messages"));

    assertThat(plan.timeRange().start()).isEqualTo("2026-09-03T22:00:00Z");
    assertThat(plan.timeRange().end()).isEqualTo("2026-09-07T22:00:00Z");
    assertThat(plan.timeRange().timezone()).isEqualTo(MADRID);
    assertThat(plan.filtersMessages()).isTrue();
    assertThat(plan.needsPlanner()).isEqualTo(compiled(TIMES).needsPlanner()).isNotNull();
  }

  @ParameterizedTest(name = "from {0} to {1} is from {2} to {3}")
  @DisplayName("never reaches beyond the times that the question names")
  @CsvSource({
    "1999-01-01T00:00, 2100-01-01T00:00, 2026-09-03T22:00:00Z, 2026-09-11T22:00:00Z",
    "'', 2026-09-05T00:00, 2026-09-03T22:00:00Z, 2026-09-04T22:00:00Z",
    "2001-01-01T00:00, 2001-02-01T00:00, 2026-09-06T22:00:00Z, 2026-09-07T22:00:00Z",
  })
  void withinTheQuestion(String start, String end, String from, String before) {
    QueryPlan plan = refined(TIMES, range(start, end, "plans"));

    assertThat(plan.timeRange().start()).isEqualTo(from);
    assertThat(plan.timeRange().end()).isEqualTo(before);
    assertThat(plan.filtersMessages()).as("a filter stays one").isTrue();
  }

  @Test
  @DisplayName("may give a time to a question whose times no table reads, if it has begun")
  void newTime() {
    String question = "What did Ana say when the circus was here, and who was it for?";

    QueryPlan past = refined(question, range("2026-08-01T00:00", "", "messages"));
    assertThat(past.timeRange().start()).isEqualTo("2026-07-31T22:00:00Z");
    assertThat(past.filtersMessages()).isTrue();
    QueryPlan future = refined(question, range("2026-12-01T00:00", "", "messages"));
    assertThat(future.filtersMessages()).isFalse();
    QueryPlan plans = refined(question, range("2026-08-01T00:00", "2026-08-02T00:00", "plans"));
    assertThat(plans.filtersMessages()).isFalse();
  }

  @Test
  @DisplayName("names people and places in the question's own words, and no others")
  void ownWords() {
    JsonObject proposal = list(
            "people",
            new JsonObject().put("name", "ana").put("descriptors", new JsonArray()),
            new JsonObject().put("name", "BEA").put("descriptors", new JsonArray().add("tall")),
            new JsonObject().put("name", "Mallory"),
            new JsonObject()
                .put("name", "an")
                .put("chatId", "11111111-1111-1111-1111-111111111111"),
            new JsonObject().put("name", "what"))
        .put("places", new JsonArray().add("the boat").add("Atlantis"));

    QueryPlan plan = refined(TIMES, proposal);

    assertThat(plan.people())
        .containsExactly(new Person("Ana", List.of(), null), new Person("Béa", List.of(), null));
    assertThat(plan.places()).containsExactly(new Place("the boat", "the boat"));
  }

  @Test
  @DisplayName("narrows platforms and chats, and never widens them or takes back what is left out")
  void narrower() {
    String limited = "Who did I tell on WhatsApp or Telegram, and what did they say?";
    assertThat(refined(limited, list("platforms", "whatsapp", "slack")).platforms())
        .containsExactly("whatsapp");
    assertThat(refined(limited, list("platforms", "slack")).platforms())
        .containsExactly("whatsapp", "telegram");
    assertThat(refined(limited, list("platforms")).platforms())
        .containsExactly("whatsapp", "telegram");

    String without = "Who did I tell not on WhatsApp?";
    assertThat(compiled(without).platforms()).isEmpty();
    assertThat(refined(without, list("platforms", "whatsapp", "slack")).platforms())
        .containsExactly("slack");
    assertThat(refined(TIMES, list("platforms", "slack")).platforms()).isEmpty();

    String chat = "What did Ana say in the family chat, and who was it for?";
    assertThat(compiled(chat).chatNames()).containsExactly("family");
    assertThat(refined(chat, list("chatNames", "Ana")).chatNames()).containsExactly("family");
    assertThat(refined(TIMES, list("chatNames", "11111111-1111-1111-1111-111111111111"))
            .chatNames())
        .isEmpty();
  }

  @Test
  @DisplayName("leaves the requested action, its approval and a ranking as they were read")
  void actionStays() {
    String question = "Message Ana, and what did she say yesterday or on Friday?";
    QueryPlan before = compiled(question);
    assertThat(before.requestedAction()).isNotNull();

    QueryPlan plan = refined(
        question,
        new JsonObject()
            .put("intent", "conversation_qa")
            .put(
                "requestedAction",
                new JsonObject().put("type", "call").put("requiresApproval", false)));

    assertThat(plan.intent()).isEqualTo(Intent.ACTION_REQUEST);
    assertThat(plan.requestedAction()).isEqualTo(before.requestedAction());
    assertThat(refined(TIMES, new JsonObject().put("intent", "plan_recall")).intent())
        .isEqualTo(Intent.PLAN_RECALL);
  }

  @Test
  @DisplayName("drops members that nobody knows, and says nothing where it is empty")
  void unknownMembers() {
    QueryPlan before = compiled(TIMES);

    assertThat(refined(TIMES, "{}")).contains(before);
    assertThat(refined(TIMES, "{\"scope\":\"everybody\",\"sql\":\"DROP TABLE\",\"people\":[]}"))
        .contains(before);
    assertThat(refined(TIMES, range("", "", "messages"))).isEqualTo(before);
  }

  @ParameterizedTest
  @DisplayName("is none when it does not follow its schema")
  @ValueSource(
      strings = {
        "",
        "Here is the plan: {}",
        "{} {}",
        "[]",
        "null",
        "{\"intent\":\"action_request\"}",
        "{\"intent\":7}",
        "{\"people\":\"Ana\"}",
        "{\"people\":[\"Ana\"]}",
        "{\"people\":[null]}",
        "{\"platforms\":[\"carrier pigeon\"]}",
        "{\"planStatus\":[\"maybe\"]}",
        "{\"timeRange\":\"yesterday\"}",
        "{\"timeRange\":{\"start\":\"yesterday\"}}",
        "{\"timeRange\":{\"start\":\"2026-09-04T00:00:00Z\"}}",
        "{\"timeRange\":{\"start\":\"2026-09-05T00:00\",\"end\":\"2026-09-05T00:00\"}}",
        "{\"timeRange\":{\"start\":\"2026-02-30T00:00\"}}",
        "{\"timeRange\":{\"start\":\"+999999999-01-01T00:00\"}}",
        "{\"timeRange\":{\"start\":\"2026-09-04T00:00\",\"appliesTo\":\"everything\"}}",
        "{\"intent\":\"plan_recall\",\"people\":[{\"name\":\"Ana\"}",
      })
  void none(String answer) {
    assertThat(refined(TIMES, answer)).isEmpty();
  }

  @Test
  @DisplayName("is none when it is deeper or longer than any plan")
  void bounded() {
    assertThat(refined(TIMES, "{\"people\":" + "[".repeat(5_000))).isEmpty();
    assertThat(refined(TIMES, list("places", "x".repeat(121)).encode())).isEmpty();
    JsonArray many = new JsonArray();
    for (int i = 0; i < 21; i++) {
      many.add("place " + i);
    }
    assertThat(refined(TIMES, new JsonObject().put("places", many).encode())).isEmpty();
  }

  private static String one(Random random, String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  /** Mostly of the schema's shape, with what it may not say in each of its places. */
  private static JsonObject any(Random random) {
    JsonObject proposal = range(
            one(random, "", "2026-09-04T00:00", "2026-09-09T13:00", "1990-01-01T00:00", "soon"),
            one(random, "", "2026-09-05T00:00", "2026-09-30T00:00", "2100-01-01T00:00"),
            one(random, "", "messages", "plans"))
        .put("intent", one(random, "", "plan_recall", "conversation_qa", "identity_lookup"))
        .put("chatId", "11111111-1111-1111-1111-111111111111")
        .put("requestedAction", new JsonObject().put("requiresApproval", false))
        .put("platforms", new JsonArray().add(one(random, "whatsapp", "slack")))
        .put("planStatus", new JsonArray().add(one(random, "cancelled", "confirmed")))
        .put("chatNames", new JsonArray().add(one(random, "boat", "Mallory", "ANA", "?", "(.*")))
        .put("places", new JsonArray().add(one(random, "boat", "Atlantis", "did", "\\E.*")));
    JsonArray people = new JsonArray();
    for (int i = random.nextInt(3); i > 0; i--) {
      people.add(new JsonObject()
          .put("name", one(random, "ana", "Bea", "Mallory", "", "an"))
          .put("chatId", "11111111-1111-1111-1111-111111111111")
          .put("descriptors", new JsonArray().add(one(random, "boat", "evil"))));
    }
    proposal.put("people", people);
    List<String> members = List.copyOf(proposal.fieldNames());
    for (int i = random.nextInt(4); i > 0; i--) {
      String member = members.get(random.nextInt(members.size()));
      if (random.nextInt(9) == 0) {
        proposal.put(member, random.nextInt());
      } else {
        proposal.remove(member);
      }
    }
    return proposal;
  }

  @Test
  @DisplayName("whatever it says, is a plan within the compiled one's bounds or none")
  void property() {
    Random random = new Random(26);
    QueryPlan before = compiled(TIMES);
    int plans = 0;
    for (int round = 0; round < 2_000; round++) {
      Optional<QueryPlan> found =
          compiler.refined(before, any(random).encode(), TIMES, TUESDAY, MADRID);
      plans += found.isPresent() && !found.get().equals(before) ? 1 : 0;
      found.ifPresent(plan -> {
        assertThat(plan.people()).allSatisfy(person -> {
          assertThat(person.chatId()).isNull();
          assertThat(TIMES).contains(person.name());
        });
        assertThat(plan.requestedAction()).isEqualTo(before.requestedAction());
        assertThat(plan.ranking()).isEqualTo(before.ranking());
        assertThat(plan.filtersMessages()).isTrue();
        assertThat(plan.timeRange().start()).isBeforeOrEqualTo(plan.timeRange().end());
        assertThat(plan.timeRange().start()).isAfterOrEqualTo("2026-09-03T22:00:00Z");
        assertThat(plan.timeRange().end()).isBeforeOrEqualTo("2026-09-11T22:00:00Z");
        assertThat(plan.platforms()).isEmpty();
        assertThat(plan.chatNames()).allSatisfy(name -> assertThat(TIMES).contains(name));
      });
    }
    assertThat(plans).as("the rounds make plans").isGreaterThan(500);
  }

  @ParameterizedTest
  @DisplayName("is held for wherever the question may need it, in whatever zone")
  @ValueSource(
      strings = {
        "What did Ana say yesterday about the boat, and what did Bea write on Friday?",
        "What did Ana say on Monday and on the 7th?",
        "Who did I tell not on WhatsApp?",
        "Compare what Ana and Bea said",
        "When is dinner?",
        "What did Ana say yesterday?",
      })
  void held(String question) {
    boolean held = compiler.mayNeedPlanner(question);
    for (String zone : List.of("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kolkata")) {
      for (int day = 0; day < 8; day++) {
        Instant at = TUESDAY.plusSeconds(day * 86_400L);
        if (compiler.compile(question, at, ZoneId.of(zone)).needsPlanner() != null) {
          assertThat(held).as(zone + " " + at).isTrue();
        }
      }
    }
    if (question.startsWith("When") || question.endsWith("say yesterday?")) {
      assertThat(held).isFalse();
    }
  }
}
