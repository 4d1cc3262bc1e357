package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.SearchHit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignsTest {
  private static final UUID CHAT = new UUID(0, 1);
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private final Signs what = new Signs("What did Ana paint?", NOON);
  private final Signs when = new Signs("When did Ana paint the fence?", NOON);

  private static SearchHit.Written text(String text) {
    return new SearchHit.Written(CHAT, NOON, text, text.endsWith("?"), false);
  }

  @Test
  @DisplayName("words of the question and company in its talk lift a message, its length does not")
  void lifted() {
    SearchHit.Written one = text("I painted the fence green with my sister");
    assertThat(what.lift(one, 0.9, 0)).isGreaterThan(what.lift(one, 0.2, 0));
    assertThat(what.lift(one, 0.5, 1)).isGreaterThan(what.lift(one, 0.5, 0.3));
    assertThat(what.lift(one, 0, 0)).isEqualTo(what.lift(text("the fence"), 0, 0));
    assertThat(what.lift(text(""), 0, 0)).isPositive();
  }

  @Test
  @DisplayName("what asks is told after what answers")
  void asking() {
    assertThat(what.lift(text("I painted the fence."), 0, 0))
        .isGreaterThan(what.lift(text("I painted the fence?"), 0, 0));
    assertThat(what.lift(new SearchHit.Written(CHAT, NOON, "The fence.", false, true), 0, 0))
        .isGreaterThan(what.lift(text("The fence."), 0, 0));
  }

  @Test
  @DisplayName("a time in a message counts only where the question asks for one")
  void times() {
    SearchHit.Written timed = text("I painted the fence last Sunday");
    SearchHit.Written plain = text("I painted the fence with Sandra");
    assertThat(when.lift(timed, 0, 0)).isGreaterThan(2 * when.lift(plain, 0, 0));
    assertThat(what.lift(timed, 0, 0)).isCloseTo(what.lift(plain, 0, 0), within(1e-9));
  }

  @Test
  @DisplayName("what is so now was said lately: of two messages alike the newer one, by their days")
  void newer() {
    Signs is = new Signs("What is the colour of the fence?", NOON);
    double now = is.lift(said(Duration.ZERO), 0, 0);
    double yesterday = is.lift(said(Duration.ofDays(1)), 0, 0);
    double before = is.lift(said(Duration.ofDays(200)), 0, 0);
    double longBefore = is.lift(said(Duration.ofDays(201)), 0, 0);
    assertThat(now).isGreaterThan(yesterday);
    assertThat(yesterday).isGreaterThan(before);
    assertThat(before / longBefore).isBetween(1.0, 1.01);
    assertThat(what.lift(said(Duration.ofDays(200)), 0, 0))
        .isEqualTo(what.lift(said(Duration.ZERO), 0, 0));
  }

  private static SearchHit.Written said(Duration before) {
    return new SearchHit.Written(CHAT, NOON.minus(before), "The fence is green.", false, false);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "What did Ana paint? | true",
        "Where was the key? | true",
        "¿Qué vimos en Madrid? | true",
        "Where is the key? | false",
        "What have we decided? | false",
        "We met at the gym. I liked it there. What comes next? | false",
        "I have the key. Who had it before? | true",
      })
  @DisplayName("a question asks for what was, in its sentences that ask:")
  void asksOfThePast(String question, boolean past) {
    assertThat(QuestionShape.asksOfThePast(question)).isEqualTo(past);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "We moved in May 2023, true",
    "see you at 18:30, true",
    "it was two years ago, true",
    "ayer por la noche, true",
    "room 12 is free, false",
    "I may go, false",
  })
  @DisplayName("a text tells a time by its words or its numbers")
  void namesTime(String text, boolean time) {
    assertThat(QuestionShape.namesTime(text)).isEqualTo(time);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "When did she move?, true",
    "\u00bfCu\u00e1ndo lleg\u00f3 Ana?, true",
    "How long have they known each other?, true",
    "What did she say?, false",
  })
  @DisplayName("a question asks for a time in English and Spanish")
  void asksWhen(String question, boolean time) {
    assertThat(QuestionShape.asksWhen(question)).isEqualTo(time);
  }

  @Test
  @DisplayName(
      "a talk ends at a pause of hours and with its chat; the fullest has all of the share")
  void talks() {
    Map<UUID, SearchHit.Compared> messages = new HashMap<>();
    Map<UUID, Double> fused = new LinkedHashMap<>();
    put(messages, fused, 1, CHAT, Duration.ZERO, 0.4);
    put(messages, fused, 2, CHAT, Duration.ofHours(2), 0.4);
    put(messages, fused, 3, CHAT, Duration.ofHours(4), 0.2);
    put(messages, fused, 4, CHAT, Duration.ofHours(8), 0.25);
    put(messages, fused, 5, new UUID(0, 2), Duration.ofHours(1), 0.5);
    Talks talks = new Talks(fused, messages::get);
    assertThat(talks.share(messages.get(new UUID(1, 1)))).isEqualTo(1);
    assertThat(talks.share(messages.get(new UUID(1, 3)))).isEqualTo(1);
    assertThat(talks.share(messages.get(new UUID(1, 4)))).isCloseTo(0.25, within(1e-9));
    assertThat(talks.share(messages.get(new UUID(1, 5)))).isCloseTo(0.5, within(1e-9));
  }

  private static void put(
      Map<UUID, SearchHit.Compared> messages,
      Map<UUID, Double> fused,
      int number,
      UUID chat,
      Duration after,
      double score) {
    UUID id = new UUID(1, number);
    messages.put(
        id,
        new SearchHit.Compared(
            id,
            false,
            "Ana",
            new SearchHit.Written(chat, NOON.plus(after), "x", false, false),
            null,
            null,
            null));
    fused.put(id, score);
  }
}
