package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.store.SearchHit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetrievalConfigTest {
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private static RetrievalConfig config(
      int depth, double share, double floor, Map<String, Double> floors) {
    return new RetrievalConfig(
        depth,
        60,
        0.5,
        0.5,
        share,
        floor,
        floors,
        Map.of(),
        2,
        2,
        12,
        2400,
        12,
        20_000,
        true,
        Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("a bad value is refused with its key, itself and the rule")
  void refused() {
    assertThatThrownBy(() -> config(0, 0.5, 0.5, Map.of()))
        .hasMessage("retrieval.depth is 0; it must be 1 to 200");
    assertThatThrownBy(() -> config(20, Double.NaN, 0.5, Map.of()))
        .hasMessageContaining("retrieval.termShare is NaN");
    assertThatThrownBy(() -> config(20, 0.5, 2, Map.of()))
        .hasMessageContaining("retrieval.cosineFloor is 2.0");
    assertThatThrownBy(() -> config(20, 0.5, 0.5, Map.of("x", Double.NaN)))
        .hasMessageContaining("retrieval.cosineFloors is x=NaN");
    assertThatThrownBy(() -> new RetrievalConfig(
            20,
            60,
            0.5,
            0.5,
            0.5,
            0.5,
            Map.of(),
            Map.of("x", 3.0),
            2,
            2,
            12,
            2400,
            12,
            1,
            true,
            Duration.ofSeconds(1)))
        .hasMessageContaining("retrieval.evidenceFloors is x=3.0");
    assertThatThrownBy(() -> new PromptConfig(10, 700, 6, 0.15))
        .hasMessageContaining("prompt.inputTokens is 10");
  }

  @Test
  @DisplayName("a floor belongs to its model")
  void floors() {
    RetrievalConfig config = config(20, 0.5, 0.4, Map.of("e5-384", 0.83));
    assertThat(config.floorOf("e5-384")).isEqualTo(0.83);
    assertThat(config.floorOf("another")).isEqualTo(0.4);
  }

  @Test
  @DisplayName("a hit by words holds enough of their weight, and one in its own text")
  void legs() {
    var weakWords = new SearchHit.Lexical(A, 0.9, 2, 1, 3, 0.49);
    var senderOnly = new SearchHit.Lexical(B, 0.8, 1, 0, 2, 0.9);
    Legs legs = new Legs(
        List.of(weakWords, senderOnly),
        List.of(new SearchHit.Vector(A, 0.39), new SearchHit.Vector(B, 0.4)),
        List.of(),
        List.of());
    assertThat(legs.overTermFloor(0.5)).isEmpty();
    assertThat(legs.overTermFloor(0.49)).containsExactly(A);
    assertThat(legs.ids()).containsExactlyInAnyOrder(A, B);
  }

  @Test
  @DisplayName("a name that is all a question asks for is matched by what its bearer wrote")
  void nameAlone() {
    Legs legs = new Legs(
        List.of(new SearchHit.Lexical(A, 0.9, 1, 0, 1, 1)), List.of(), List.of(), List.of());
    assertThat(legs.overTermFloor(0.5)).containsExactly(A);
  }
}
