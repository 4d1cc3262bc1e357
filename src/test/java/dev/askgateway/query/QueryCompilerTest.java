package dev.askgateway.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.RequestedAction;
import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCompilerTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  /** A Tuesday. */
  private static final Instant TUESDAY = Instant.parse("2026-09-08T12:00:00Z");

  private final QueryCompiler compiler = new QueryCompiler();

  private TimeRange range(String question, Instant at, ZoneId zone) {
    TimeRange range = compiler.compile(question, at, zone).timeRange();
    assertThat(range).as(question).isNotNull();
    return range;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "who was the Russian girl I talked about in the past couple of days? | 2026-09-06T12:00:00Z | 2026-09-08T12:00:00Z",
        "what happened in the last few days | 2026-09-05T12:00:00Z | 2026-09-08T12:00:00Z",
        "anything from the past 10 days | 2026-08-29T12:00:00Z | 2026-09-08T12:00:00Z",
        "messages of the last two weeks | 2026-08-25T12:00:00Z | 2026-09-08T12:00:00Z",
        "qué dijo Ana en los últimos tres días | 2026-09-05T12:00:00Z | 2026-09-08T12:00:00Z",
        "what did we say in the past week | 2026-09-01T12:00:00Z | 2026-09-08T12:00:00Z",
        "what did Ana say today? | 2026-09-08T00:00:00Z | 2026-09-09T00:00:00Z",
        "¿qué dije hoy? | 2026-09-08T00:00:00Z | 2026-09-09T00:00:00Z",
        "what did I say yesterday? | 2026-09-07T00:00:00Z | 2026-09-08T00:00:00Z",
        "qué me dijo Ana ayer | 2026-09-07T00:00:00Z | 2026-09-08T00:00:00Z",
        "what did she write 3 days ago | 2026-09-05T00:00:00Z | 2026-09-06T00:00:00Z",
        "what did we say on Sunday | 2026-09-06T00:00:00Z | 2026-09-07T00:00:00Z",
        "what did Ana say on Tuesday | 2026-09-08T00:00:00Z | 2026-09-09T00:00:00Z",
        "what did Ana say last Tuesday | 2026-09-01T00:00:00Z | 2026-09-02T00:00:00Z",
        "qué dijo Ana el sábado pasado | 2026-09-05T00:00:00Z | 2026-09-06T00:00:00Z",
        "what did they say over the weekend | 2026-09-05T00:00:00Z | 2026-09-07T00:00:00Z",
        "what happened last weekend | 2026-09-05T00:00:00Z | 2026-09-07T00:00:00Z",
        "what was said last week | 2026-08-31T00:00:00Z | 2026-09-07T00:00:00Z",
        "what was said this week | 2026-09-07T00:00:00Z | 2026-09-14T00:00:00Z",
        "qué pasó la semana pasada | 2026-08-31T00:00:00Z | 2026-09-07T00:00:00Z",
        "what did Ana say on 2026-08-02 | 2026-08-02T00:00:00Z | 2026-08-03T00:00:00Z",
        "who is the man we visited on Sunday? | 2026-09-06T00:00:00Z | 2026-09-07T00:00:00Z",
        "is there a message from Ana yesterday? | 2026-09-07T00:00:00Z | 2026-09-08T00:00:00Z",
        "is there anything from last week? | 2026-08-31T00:00:00Z | 2026-09-07T00:00:00Z",
        "what's new today? | 2026-09-08T00:00:00Z | 2026-09-09T00:00:00Z",
        "where did we eat on Saturday? | 2026-09-05T00:00:00Z | 2026-09-06T00:00:00Z",
        "messages between 2026-08-11 and 2026-08-13 | 2026-08-11T00:00:00Z | 2026-08-14T00:00:00Z",
        "messages from 2026-08-13 to 2026-08-11 | 2026-08-11T00:00:00Z | 2026-08-14T00:00:00Z",
        "anything since 2026-09-01 | 2026-09-01T00:00:00Z | 2026-09-08T12:00:00Z",
        "anything before 2026-09-01 | 1970-01-01T00:00:00Z | 2026-09-01T00:00:00Z",
      })
  @DisplayName("a time in a question about messages bounds the messages:")
  void boundsMessages(String question, Instant start, Instant end) {
    QueryPlan plan = compiler.compile(question, TUESDAY, UTC);
    assertThat(plan.timeRange()).isEqualTo(new TimeRange(start, end, UTC));
    assertThat(plan.filtersMessages()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "I made plans on Saturday, with whom? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "quedamos el sábado, ¿con quién? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "who did I meet on Saturday? | 2026-09-05T00:00:00Z | 2026-09-06T00:00:00Z",
        "do I have plans this weekend? | 2026-09-12T00:00:00Z | 2026-09-14T00:00:00Z",
        "any meeting next Tuesday? | 2026-09-15T00:00:00Z | 2026-09-16T00:00:00Z",
        "what did we agree for Saturday? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "what did Ana say about the weekend? | 2026-09-12T00:00:00Z | 2026-09-14T00:00:00Z",
        "what will Ana bring on Sunday? | 2026-09-13T00:00:00Z | 2026-09-14T00:00:00Z",
        "When is dinner on Saturday? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "Is bouldering on Saturday still on? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "What's on this weekend? | 2026-09-12T00:00:00Z | 2026-09-14T00:00:00Z",
        "Does the train leave today? | 2026-09-08T00:00:00Z | 2026-09-09T00:00:00Z",
        "¿A qué hora es la cena el sábado? | 2026-09-12T00:00:00Z | 2026-09-13T00:00:00Z",
        "what is Ana doing tomorrow? | 2026-09-09T00:00:00Z | 2026-09-10T00:00:00Z",
        "¿qué tengo mañana? | 2026-09-09T00:00:00Z | 2026-09-10T00:00:00Z",
      })
  @DisplayName("the date of a plan or of what is to come bounds no messages:")
  void plansAreDiscussedOnOtherDays(String question, Instant start, Instant end) {
    QueryPlan plan = compiler.compile(question, TUESDAY, UTC);
    assertThat(plan.timeRange()).isEqualTo(new TimeRange(start, end, UTC));
    assertThat(plan.filtersMessages()).isFalse();
  }

  @Test
  @DisplayName(
      "a plan talked about yesterday, or in a stretch up to now, is looked for in those messages")
  void plansInMessagesOfARange() {
    assertThat(compiler
            .compile("what did Ana say yesterday about the plan", TUESDAY, UTC)
            .filtersMessages())
        .isTrue();
    assertThat(
            compiler.compile("plans of the past couple of days", TUESDAY, UTC).filtersMessages())
        .isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "where did we eat on Saturday?, true",
    "who came to dinner on 2026-09-05?, true",
    "what did Ana say on Saturday?, false",
    "what happened yesterday?, false",
    "any messages on Saturday?, false",
    "who did I meet in the past two days?, false",
    "what's new today?, false",
  })
  @DisplayName("a day may be an event's unless the question says when something was said:")
  void openDays(String question, boolean open) {
    assertThat(QuestionShape.leavesDayOpen(question)).isEqualTo(open);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "It was a good week last week. My sister is well again. What is the next step? | false",
        "My sister is well again. I slept. What did Ana say last week? | true",
        "It rained last week. What is the next step? | true",
      })
  @DisplayName("in a text that tells before it asks, only a sentence about messages bounds them:")
  void toldByTheWay(String question, boolean bounds) {
    QueryPlan plan = compiler.compile(question, TUESDAY, UTC);
    assertThat(plan.filtersMessages()).isEqualTo(bounds);
    assertThat(plan.timeRange())
        .isEqualTo(new TimeRange(
            Instant.parse("2026-08-31T00:00:00Z"), Instant.parse("2026-09-07T00:00:00Z"), UTC));
  }

  @Test
  @DisplayName("a date with its year wins over a time that is counted from it")
  void writtenOut() {
    assertThat(range(
            "What was Ana's problem last week, as mentioned on November 6, 2025?", TUESDAY, UTC))
        .isEqualTo(new TimeRange(
            Instant.parse("2025-11-06T00:00:00Z"), Instant.parse("2025-11-07T00:00:00Z"), UTC));
  }

  @Test
  @DisplayName("when something was said wins over what it was about")
  void saidBeatsAbout() {
    QueryPlan plan = compiler.compile("what did Ana say today about Saturday?", TUESDAY, UTC);
    assertThat(plan.timeRange().start()).isEqualTo(Instant.parse("2026-09-08T00:00:00Z"));
    assertThat(plan.filtersMessages()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "what did we say on Saturday | 2026-09-12T00:00:00Z",
        "do I have plans on Saturday | 2026-09-12T00:00:00Z",
        "what did we say last Saturday | 2026-09-05T00:00:00Z",
        "any plans next Saturday | 2026-09-19T00:00:00Z",
        "any plans this Saturday | 2026-09-12T00:00:00Z",
        "what happened this weekend | 2026-09-12T00:00:00Z",
        "what happened last weekend | 2026-09-05T00:00:00Z",
      })
  @DisplayName("on a Saturday, Saturday is today unless last or next is said:")
  void saturdayOnSaturday(String question, Instant start) {
    Instant night = Instant.parse("2026-09-12T22:30:00Z");
    assertThat(range(question, night, UTC).start()).isEqualTo(start);
  }

  @ParameterizedTest(name = "{0} in {2}")
  @CsvSource({
    "today,2026-03-29T10:00:00Z,Europe/Madrid,2026-03-28T23:00:00Z,23",
    "today,2026-10-25T10:00:00Z,Europe/Madrid,2026-10-24T22:00:00Z,25",
    "yesterday,2026-11-02T10:00:00Z,America/New_York,2026-11-01T04:00:00Z,25",
    "today,2026-04-24T10:00:00Z,Africa/Cairo,2026-04-23T22:00:00Z,23",
    "today,2026-09-08T11:00:00Z,Pacific/Kiritimati,2026-09-08T10:00:00Z,24",
    "today,2026-09-08T10:30:00Z,Pacific/Pago_Pago,2026-09-07T11:00:00Z,24",
    "today,2026-09-08T12:00:00Z,Asia/Kathmandu,2026-09-07T18:15:00Z,24",
  })
  @DisplayName("days are cut in the account's zone, with their true length:")
  void zones(String word, Instant at, String zone, Instant start, long hours) {
    TimeRange range = range("what did Ana say " + word, at, ZoneId.of(zone));
    assertThat(range.start()).isEqualTo(start);
    assertThat(Duration.between(range.start(), range.end())).isEqualTo(Duration.ofHours(hours));
  }

  @Test
  @DisplayName("the past couple of days is 48 hours, also over a change of the clocks")
  void coupleIsHours() {
    Instant at = Instant.parse("2026-03-29T10:00:00Z");
    TimeRange range = range("the past couple of days", at, ZoneId.of("Europe/Madrid"));
    assertThat(range)
        .isEqualTo(new TimeRange(at.minus(Duration.ofHours(48)), at, ZoneId.of("Europe/Madrid")));
  }

  @Test
  @DisplayName("a day that a zone skipped gives the first moment after it")
  void skippedDay() {
    TimeRange range = range("what was said on 2011-12-30", TUESDAY, ZoneId.of("Pacific/Apia"));
    assertThat(range.start()).isEqualTo(Instant.parse("2011-12-30T10:00:00Z"));
    assertThat(range.end()).isAfter(range.start());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "what is Ana's favourite food?",
        "on 2026-02-30",
        "call 1234-56-78-90",
        "who sat there",
        "Saturdays are fun",
        "the past",
        "past 0 days",
        "🎂",
        ""
      })
  @DisplayName("no time is read into")
  void noTime(String question) {
    assertThat(compiler.compile(question, TUESDAY, UTC).timeRange()).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "who was the Russian girl I talked about in the past couple of days? | IDENTITY_LOOKUP",
        "I made plans on Saturday, with whom? | PLAN_RECALL",
        "who are my closest people in Mexico City or Brooklyn and can we reach out? | PEOPLE_RANKING",
        "who do I know that lives in Brooklyn | PEOPLE_RANKING",
        "when is the birthday of Ana | PLAN_RECALL",
        "¿quién era esa persona? | IDENTITY_LOOKUP",
        "what did people say about the trip? | CONVERSATION_QA",
        "please send Ana the address | CONVERSATION_QA",
        "Send Ana the address | ACTION_REQUEST",
      })
  @DisplayName("the intent is read from the words:")
  void intents(String question, Intent intent) {
    Intent found = compiler.compile(question, TUESDAY, UTC).intent();
    assertThat(found).isEqualTo(question.startsWith("please") ? Intent.ACTION_REQUEST : intent);
  }

  @Test
  @DisplayName("a ranking with a place keeps both, and what it asks to do needs approval")
  void ranking() {
    QueryPlan plan = compiler.compile(
        "who are my closest people in Mexico City or Brooklyn and can we reach out?", TUESDAY, UTC);
    assertThat(plan.location()).isEqualTo(new QueryPlan.Location("Mexico City", null));
    assertThat(plan.ranking()).isEqualTo(new QueryPlan.Ranking("closeness", 10));
    assertThat(plan.requestedAction()).isEqualTo(new RequestedAction("message", true));
    assertThat(compiler.compile("was the dinner plan cancelled?", TUESDAY, UTC).planStatus())
        .isEqualTo(List.of("cancelled"));
  }

  @Test
  @DisplayName(
      "every range contains its days whole and ends after it starts, whatever the moment and zone")
  void property() {
    Random random = new Random(8);
    List<String> zones = List.of(
        "Europe/Madrid", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia", "Asia/Tehran");
    List<String> words =
        List.of("today", "yesterday", "last monday", "this weekend", "last week", "past 3 days");
    for (int round = 0; round < 2000; round++) {
      Instant at = Instant.ofEpochSecond(random.nextInt(1_900_000_000));
      ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
      String word = words.get(random.nextInt(words.size()));
      TimeRange range = range("what was said " + word, at, zone);
      assertThat(range.start()).isBefore(range.end());
      boolean now = word.equals("today");
      assertThat(!at.isBefore(range.start()) && at.isBefore(range.end()))
          .isEqualTo(now
              || (word.equals("this weekend")
                  && at.atZone(zone).getDayOfWeek().compareTo(DayOfWeek.SATURDAY) >= 0));
    }
  }
}
