package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
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

  @Test
  @DisplayName("a long burst becomes several windows that share no message")
  void burst() {
    List<Neighbourhood> newestFirst = new ArrayList<>();
    for (int n = 40; n > 0; n--) {
      newestFirst.add(around(CHAT, n, 2, "x"));
    }
    List<Neighbourhood> merged = builder.merge(newestFirst);
    assertThat(merged.size()).isGreaterThan(2);
    assertThat(numbers(merged.get(0))).contains(40L);
  }

  @Test
  @DisplayName("one huge message leaves its neighbours out but stays itself")
  void hugeAnchor() {
    List<Neighbourhood> merged = builder.merge(List.of(around(CHAT, 5, 2, "y".repeat(5000))));
    assertThat(numbers(merged.get(0))).containsExactly(5L);
  }

  @Test
  @DisplayName(
      "every window has its anchor, is in order, within bounds, and no message is shown twice")
  void property() {
    Random random = new Random(12);
    for (int round = 0; round < 500; round++) {
      List<Neighbourhood> ranked = new ArrayList<>();
      Set<Integer> anchors = new HashSet<>();
      for (int i = random.nextInt(15); i >= 0; i--) {
        int anchor = 3 + random.nextInt(40);
        if (anchors.add(anchor)) {
          ranked.add(around(
              random.nextInt(4) == 0 ? OTHER : CHAT,
              anchor,
              random.nextInt(4),
              "z".repeat(random.nextInt(400))));
        }
      }
      List<Neighbourhood> merged = builder.merge(ranked);
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
