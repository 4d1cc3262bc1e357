package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NeighboursTest {
  private static UUID id(int number) {
    return new UUID(1, number);
  }

  private static EvidenceMessage message(
      int number, String sender, String text, @Nullable String replyTo) {
    return new EvidenceMessage(
        id(number),
        "p" + number,
        sender,
        false,
        Instant.ofEpochSecond(number),
        text,
        false,
        replyTo);
  }

  private static Set<UUID> found(List<EvidenceMessage> messages, int hit) {
    return Neighbours.withAnswers(messages, Set.of(id(hit)));
  }

  @Test
  @DisplayName("the next message of somebody else is found with the question it follows")
  void nextOfAnother() {
    List<EvidenceMessage> talk = List.of(
        message(1, "Ana", "hello", null),
        message(2, "Ben", "Who has the keys?", null),
        message(3, "Ben", "I cannot find them", null),
        message(4, "Cleo", "me", null),
        message(5, "Ana", "not me", null));
    assertThat(found(talk, 2)).containsExactlyInAnyOrder(id(2), id(4));
    assertThat(found(talk, 3)).containsExactly(id(3));
    assertThat(found(talk, 9)).isEmpty();
  }

  @Test
  @DisplayName(
      "every reply to a found question is found, and a reply to another message is no answer")
  void replies() {
    List<EvidenceMessage> talk = List.of(
        message(1, "Ben", "Who has the keys?", null),
        message(2, "Ana", "lovely photo", "p0"),
        message(3, "Cleo", "me", "p1"),
        message(4, "Ana", "or me", "p1"));
    assertThat(found(talk, 1)).containsExactlyInAnyOrder(id(1), id(3), id(4));
  }
}
