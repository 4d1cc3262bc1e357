package dev.askgateway.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Person;
import dev.askgateway.core.QueryPlan.Place;
import dev.askgateway.core.QueryPlan.Ranking;
import dev.askgateway.core.QueryPlan.Reason;
import io.vertx.core.json.JsonArray;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryDetailsTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  /** A Tuesday. */
  private static final Instant TUESDAY = Instant.parse("2026-09-08T12:00:00Z");

  private static QueryPlan plan(String question) {
    return new QueryCompiler().compile(question, TUESDAY, UTC);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "what did Ana say on WhatsApp? | whatsapp",
        "what did Ana say in Slack or Telegram yesterday? | slack,telegram",
        "¿qué me dijo Luis por Telegram? | telegram",
        "anything on Signal | signal",
        "was there a signal from Ana? | -",
        "messages via iMessage and Discord | imessage,discord",
        "what did she post on x | x",
        "solve for x | -",
        "My business runs on WhatsApp. It grows. How do I keep it safe? | -",
        "My shop is on WhatsApp. It grows. What did Ana say on Slack? | slack",
        "I was on Slack. What did Ana post? | slack",
      })
  @DisplayName("platforms that a question is limited to:")
  void platforms(String question, String ids) {
    assertThat(String.join(",", plan(question).platforms())).isEqualTo(ids == null ? "" : ids);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "what was decided in the family group? | family",
        "what did we say in my chat with Ana? | Ana",
        "¿qué se dijo en el grupo de la familia? | familia",
        "en mi chat con José, ¿qué quedamos? | José",
        "anything in the Book Club chat last week | Book Club",
        "what is new in #general | general",
        "what was said in the group chat | -",
        "what did we chat about | -",
      })
  @DisplayName("chats are named as the question names them, to be looked up:")
  void chats(String question, String names) {
    assertThat(String.join(",", plan(question).chatNames())).isEqualTo(names == null ? "" : names);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "what did Ana and Luis agree on? | Ana,Luis",
        "what did Ana María say on Friday? | Ana María",
        "did ana say when she comes? | ana",
        "¿qué dijo Sofía el sábado? | Sofía",
        "what did we say about Mexico City in March | -",
        "What happened on Christmas? | -",
        "Remember the trip? | -",
        "who lives in Brooklyn | -",
        "what did we say in my chat with Ana? | -",
      })
  @DisplayName("people are named by the question's own words:")
  void people(String question, String names) {
    assertThat(
            String.join(",", plan(question).people().stream().map(Person::name).toList()))
        .isEqualTo(names == null ? "" : names);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "who was the Russian girl I talked about in the past couple of days? | Russian,girl",
        "¿quién era la chica rusa de la que hablé? | rusa,chica",
        "who is the tall man we met on Sunday? | tall,man",
      })
  @DisplayName("a person without a name is known by a description:")
  void described(String question, String descriptors) {
    assertThat(plan(question).people())
        .containsExactly(new Person("", List.of(descriptors.split(",")), null));
  }

  @Test
  @DisplayName("places have their usual name and keep the question's wording")
  void places() {
    assertThat(plan("¿a quién conozco que vive en CDMX o Nueva York?").places())
        .containsExactly(new Place("Mexico City", "CDMX"), new Place("New York", "Nueva York"));
    assertThat(plan("who do I know in NYC, BK or Ciudad de México?").places())
        .containsExactly(
            new Place("New York", "NYC"),
            new Place("Brooklyn", "BK"),
            new Place("Mexico City", "Ciudad de México"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "who are my 3 closest people | closeness | 3",
        "who are my best friends | closeness | 10",
        "top five people I talk to most | frequency | 5",
        "¿con quién hablo más? | frequency | 10",
        "¿quiénes son mis amigos más cercanos? | closeness | 10",
      })
  @DisplayName("a ranking has a kind and a limit:")
  void ranking(String question, String kind, int limit) {
    assertThat(plan(question).ranking()).isEqualTo(new Ranking(kind, limit));
  }

  @Test
  @DisplayName("a plan for a bare Saturday keeps both Saturdays, the chosen one first")
  void bothSaturdays() {
    QueryPlan plan = plan("I made plans on Saturday, with whom?");
    assertThat(plan.ambiguities()).hasSize(1);
    assertThat(plan.ambiguities().get(0).kind()).isEqualTo("past_or_future");
    assertThat(plan.ambiguities().get(0).readings().stream()
            .map(range -> range.start().toString()))
        .containsExactly("2026-09-12T00:00:00Z", "2026-09-05T00:00:00Z");
    assertThat(plan.ambiguities().get(0).readings().get(0)).isEqualTo(plan.timeRange());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "any plans next Saturday? | which_week | 2026-09-19 | 2026-09-12",
        "what did Ana say on 3/5/2024 | date_order | 2024-03-05 | 2024-05-03",
        "¿qué dijo Ana el 3/5/2024? | date_order | 2024-05-03 | 2024-03-05",
        "what did Ana say two weeks ago | exactness | 2026-08-24 | 2026-08-25",
      })
  @DisplayName("what can be read in two ways is said to be:")
  void ambiguous(String question, String kind, String chosen, String other) {
    var readings = plan(question).ambiguities().stream()
        .filter(ambiguity -> ambiguity.kind().equals(kind))
        .findFirst()
        .orElseThrow()
        .readings();
    assertThat(readings.stream().map(range -> range.start().toString().substring(0, 10)))
        .containsExactly(chosen, other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "what did Ana say on Saturday?",
        "who did I meet on Saturday?",
        "what is Ana doing tomorrow?",
        "what did Ana say on 2026-09-05",
        "what did we say in June"
      })
  @DisplayName("nothing is ambiguous about")
  void clear(String question) {
    assertThat(plan(question).ambiguities()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "what did Ana say on Monday and on Thursday | SEVERAL_TIMES",
        "what did Ana say on Monday and Luis on Thursday | SEVERAL_PEOPLE",
        "who hasn't replied to me this week | NEGATION",
        "everyone in the group except Ana | NEGATION",
        "¿quién no me ha contestado? | NEGATION",
        "compare what Ana said in March and in April | COMPARISON",
        "what did Ana say and where did we eat | COMPOUND",
      })
  @DisplayName("what tables cannot represent names its reason:")
  void beyondTables(String question, Reason reason) {
    QueryPlan plan = plan(question);
    assertThat(plan.needsPlanner()).isEqualTo(reason);
    assertThat(plan.toJson().getString("needsPlanner")).isEqualTo(reason.code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "who was the Russian girl I talked about in the past couple of days?",
        "I made plans on Saturday, with whom?",
        "who are my closest people in Mexico City or Brooklyn and can we reach out?",
        "what did Ana say today about Saturday?",
        "what did Ana and Luis say last week?",
        "why did Ana not come?",
      })
  @DisplayName("no planner is needed for")
  void withinTables(String question) {
    assertThat(plan(question).needsPlanner()).isNull();
  }

  @Test
  @DisplayName("the plan as JSON holds what was understood and leaves out what is not there")
  void json() {
    var json =
        plan("what did Ana say on WhatsApp in the family group in March?").toJson();
    assertThat(json.getJsonArray("platforms")).isEqualTo(new JsonArray().add("whatsapp"));
    assertThat(json.getJsonArray("chatNames")).isEqualTo(new JsonArray().add("family"));
    assertThat(json.getJsonArray("people").getJsonObject(0).getString("name")).isEqualTo("Ana");
    assertThat(json.getJsonObject("timeRange").getString("start"))
        .isEqualTo("2026-03-01T00:00:00Z");
    assertThat(plan("what is new?").toJson().fieldNames())
        .containsExactlyInAnyOrder("intent", "people", "planStatus");
  }

  @Test
  @DisplayName("words of the time that filters are no search words, those of an event are")
  void searchWords() {
    QueryPlan filtered = plan("what did Ana say on March 5 at 5pm");
    assertThat(LexicalQuery.of("what did Ana say on March 5 at 5pm", filtered).terms())
        .hasSize(1);
    QueryPlan event = plan("what did Ana say yesterday about Christmas");
    assertThat(
            LexicalQuery.of("what did Ana say yesterday about Christmas", event).terms())
        .hasSize(2);
  }

  @Test
  @DisplayName("no question makes the compiler throw")
  void anyQuestion() {
    Random random = new Random(13);
    String letters =
        "abc ÀÉñß İıﬁ🎂\u0301\u200d’'\"#@?¿.,-0123456789\0\n\t في 北京 the in on Ana and chat with ";
    for (int round = 0; round < 5_000; round++) {
      StringBuilder question = new StringBuilder();
      for (int i = random.nextInt(60); i > 0; i--) {
        question.append(letters.charAt(random.nextInt(letters.length())));
        question.append(random.nextInt(6) == 0 ? " in the chat with Ana " : "");
      }
      assertThat(plan(question.toString()).toJson().getString("intent")).isNotEmpty();
    }
  }
}
