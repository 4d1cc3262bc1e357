package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WindowsTest {
  private static final UUID CHAT = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);
  private final WindowBuilder builder = new WindowBuilder(RetrievalConfig.DEFAULT);

  private static EvidenceMessage message(UUID chat, int number, String text) {
    return new EvidenceMessage(
        new UUID(chat.getLeastSignificantBits(), number),
        "p" + number,
        "Ana",
        false,
        Instant.ofEpochSecond(number),
        text,
        false,
        null);
  }

  private static Neighbourhood around(UUID chat, int anchor, int size, String text) {
    return new Neighbourhood(
        new UUID(chat.getLeastSignificantBits(), anchor),
        chat,
        "Chat",
        "slack",
        false,
        IntStream.rangeClosed(anchor - size, anchor + size)
            .mapToObj(n -> message(chat, n, text + " " + n))
            .toList());
  }

  private static List<Long> numbers(Neighbourhood window) {
    return window.messages().stream()
        .map(message -> message.id().getLeastSignificantBits())
        .toList();
  }

  @Test
  @DisplayName("windows that touch become one under the better anchor, in order of time")
  void merge() {
    List<Neighbourhood> merged = builder.merge(
        List.of(around(CHAT, 20, 2, "x"), around(CHAT, 50, 2, "x"), around(CHAT, 17, 2, "x")));
    assertThat(merged).hasSize(2);
    assertThat(merged.get(0).anchorId().getLeastSignificantBits()).isEqualTo(20);
    assertThat(numbers(merged.get(0))).containsExactly(15L, 16L, 17L, 18L, 19L, 20L, 21L, 22L);
  }

  @Test
  @DisplayName("the same numbers in another chat do not touch")
  void chatsStayApart() {
    assertThat(builder.merge(List.of(around(CHAT, 20, 2, "x"), around(OTHER, 20, 2, "x"))))
        .hasSize(2);
  }

  private static Neighbourhood onDay(UUID chat, int day) {
    UUID id = new UUID(chat.getLeastSignificantBits(), day);
    return new Neighbourhood(
        id,
        chat,
        "Chat",
        "slack",
        false,
        List.of(new EvidenceMessage(
            id,
            "p" + day,
            "Ana",
            false,
            Instant.EPOCH.plus(Duration.ofDays(day)),
            "x",
            false,
            null)));
  }

  private static List<List<Long>> days(List<Neighbourhood> windows) {
    return windows.stream().map(WindowsTest::numbers).toList();
  }

  @Test
  @DisplayName("of more windows than a pack has the nearest of a chat become one, the better first")
  void few() {
    List<Neighbourhood> found = List.of(
        onDay(CHAT, 40), onDay(OTHER, 41), onDay(CHAT, 10), onDay(CHAT, 19), onDay(CHAT, 27));
    assertThat(days(builder.few(found)))
        .containsExactly(List.of(40L), List.of(41L), List.of(10L), List.of(19L, 27L));
    List<Neighbourhood> more = new ArrayList<>(found);
    more.add(onDay(CHAT, 2));
    assertThat(days(builder.few(more)))
        .containsExactly(List.of(40L), List.of(41L), List.of(2L, 10L), List.of(19L, 27L));
    assertThat(builder.few(more).get(2).anchorId()).isEqualTo(new UUID(1, 10));
  }

  @Test
  @DisplayName("far places of one talk stay windows of their own")
  void oneTalk() {
    List<Neighbourhood> talk =
        IntStream.rangeClosed(1, 6).mapToObj(n -> around(CHAT, 30 * n, 2, "x")).toList();
    assertThat(builder.few(talk)).isEqualTo(talk);
  }

  @Test
  @DisplayName("four windows stay as they are, and a month apart is never one window")
  void apart() {
    List<Neighbourhood> four =
        List.of(onDay(CHAT, 1), onDay(CHAT, 2), onDay(CHAT, 3), onDay(CHAT, 4));
    assertThat(builder.few(four)).isEqualTo(four);
    List<Neighbourhood> far = List.of(
        onDay(CHAT, 1),
        onDay(CHAT, 31),
        onDay(CHAT, 61),
        onDay(CHAT, 91),
        onDay(CHAT, 121),
        onDay(OTHER, 2));
    assertThat(builder.few(far)).isEqualTo(far);
  }

  /** Everything that may be shown, from 1 on, with the score of what was found. */
  private List<Neighbourhood> fitted(List<Neighbourhood> windows, Map<Integer, Double> found) {
    Map<UUID, Double> scores = new HashMap<>();
    found.forEach((number, score) -> scores.put(new UUID(1, number), score));
    return builder.fit(windows, new Worth(scores));
  }

  @Test
  @DisplayName("a long burst becomes several windows that share no message")
  void burst() {
    List<Neighbourhood> newestFirst = new ArrayList<>();
    for (int n = 120; n > 0; n--) {
      newestFirst.add(around(CHAT, n, 2, "x"));
    }
    List<Neighbourhood> merged = builder.merge(newestFirst);
    assertThat(merged.size()).isGreaterThan(2);
    assertThat(numbers(merged.get(0))).contains(120L);
  }

  @Test
  @DisplayName("what is far from everything found is not shown, though there is room")
  void farFromHits() {
    Neighbourhood talk = around(CHAT, 20, 15, "x");
    assertThat(numbers(fitted(List.of(talk), Map.of(20, 1.0)).get(0)))
        .containsExactlyElementsOf(LongStream.rangeClosed(14, 26).boxed().toList());
    assertThat(numbers(fitted(List.of(talk), Map.of(20, 1.0, 34, 0.9)).get(0)))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(14, 35).filter(n -> n != 27).boxed().toList());
  }

  @Test
  @DisplayName("the room of a pack goes to what is worth most, whichever window it is of")
  void sharedRoom() {
    int most = RetrievalConfig.DEFAULT.windowChars();
    Neighbourhood good = around(CHAT, 20, 6, "y".repeat(most / 4));
    Neighbourhood poor = around(OTHER, 20, 6, "y".repeat(most / 4));
    Map<UUID, Double> scores = Map.of(good.anchorId(), 1.0, poor.anchorId(), 0.2);
    List<Neighbourhood> fitted = builder.fit(List.of(good, poor), new Worth(scores));
    assertThat(numbers(fitted.get(0)).size())
        .isGreaterThan(numbers(fitted.get(1)).size());
    assertThat(numbers(fitted.get(1))).contains(20L);
    assertThat(fitted.stream()
            .flatMap(window -> window.messages().stream())
            .mapToInt(message -> message.text().length())
            .sum())
        .isBetween(3 * most, 4 * most);
  }

  @Test
  @DisplayName("a long pause keeps what was said before it further away than as many messages")
  void pause() {
    List<EvidenceMessage> talk = new ArrayList<>();
    for (int n = 1; n <= 12; n++) {
      EvidenceMessage plain = message(CHAT, n, "x " + n);
      talk.add(new EvidenceMessage(
          plain.id(),
          plain.platformMessageId(),
          "Ana",
          false,
          Instant.ofEpochSecond(n + (n > 6 ? 86_400 : 0)),
          plain.text(),
          false,
          null));
    }
    Neighbourhood window = new Neighbourhood(new UUID(1, 7), CHAT, "Chat", "slack", false, talk);
    assertThat(numbers(fitted(List.of(window), Map.of(7, 1.0)).get(0)))
        .containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
  }

  @Test
  @DisplayName("windows stand in the order of all that was found in them, not of their best hit")
  void together() {
    Neighbourhood single = around(CHAT, 20, 2, "x");
    Neighbourhood talk = around(CHAT, 50, 2, "x");
    Map<UUID, Double> scores = Map.of(
        single.anchorId(), 1.0, talk.anchorId(), 0.8, new UUID(1, 51), 0.6, new UUID(1, 49), 0.6);
    assertThat(new Worth(scores).bestFirst(List.of(single, talk))).containsExactly(talk, single);
    assertThat(new Worth(Map.of()).bestFirst(List.of(single, talk))).containsExactly(single, talk);
  }

  @Test
  @DisplayName(
      "every window has its anchor, is in order, within bounds, and no message is shown twice")
  void property() {
    Random random = new Random(12);
    for (int round = 0; round < 500; round++) {
      List<Neighbourhood> ranked = new ArrayList<>();
      Set<Integer> anchors = new HashSet<>();
      for (int i = random.nextInt(24); i >= 0; i--) {
        int anchor = 8 + random.nextInt(90);
        if (anchors.add(anchor)) {
          ranked.add(around(
              random.nextInt(4) == 0 ? OTHER : CHAT,
              anchor,
              random.nextInt(7),
              "z".repeat(random.nextInt(400))));
        }
      }
      Map<UUID, Double> scores = new HashMap<>();
      ranked.forEach(each -> scores.put(each.anchorId(), 1.0 / (1 + scores.size())));
      List<Neighbourhood> merged =
          builder.fit(builder.few(builder.merge(ranked)), new Worth(scores));
      Set<UUID> shown = new HashSet<>();
      for (Neighbourhood window : merged) {
        assertThat(numbers(window))
            .isSorted()
            .contains(window.anchorId().getLeastSignificantBits());
        assertThat(window.messages())
            .hasSizeLessThanOrEqualTo(RetrievalConfig.DEFAULT.windowMessages());
        window.messages().forEach(message -> assertThat(shown.add(message.id())).isTrue());
      }
      assertThat(merged.get(0).anchorId()).isEqualTo(ranked.get(0).anchorId());
    }
  }

  @Test
  @DisplayName(
      "a copy of the same text is shown once, and other chats come before a third window of one")
  void diversity() {
    Neighbourhood first = around(CHAT, 10, 0, "alpha beta");
    Neighbourhood second = around(CHAT, 20, 0, "gamma delta");
    Neighbourhood third = around(CHAT, 30, 0, "epsilon zeta");
    Neighbourhood copy = around(OTHER, 10, 0, "Alpha, beta!");
    Neighbourhood other = around(OTHER, 40, 0, "eta theta");
    List<Neighbourhood> ranked = List.of(first, second, third, copy, other);

    assertThat(Diversity.pick(ranked, 3, 2)).containsExactly(first, second, other);
    assertThat(Diversity.pick(ranked, 3, 3)).containsExactly(first, second, third);
    assertThat(Diversity.pick(ranked, 4, 2)).containsExactly(first, second, third, other);
  }
}
