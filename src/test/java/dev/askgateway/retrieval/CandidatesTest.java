package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.askgateway.store.SearchHit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidatesTest {
  private static final RetrievalConfig CONFIG = new RetrievalConfig(
      20,
      10,
      0.5,
      0.5,
      0.4,
      0.5,
      Map.of("e5", 0.8),
      Map.of("e5", 0.84),
      2,
      2,
      12,
      2400,
      12,
      1,
      true,
      Duration.ofSeconds(1));

  private final List<SearchHit.Lexical> words = new ArrayList<>();
  private final List<SearchHit.Vector> near = new ArrayList<>();
  private final List<SearchHit.Compared> compared = new ArrayList<>();

  private static UUID id(int number) {
    return new UUID(0, number);
  }

  /** A talk of its own for each. */
  private static SearchHit.Written written(int number, String text) {
    return new SearchHit.Written(
        id(1), Instant.EPOCH.plus(Duration.ofDays(number)), text, false, false);
  }

  /** A message found by meaning; its neighbours are the numbers beside it. */
  private void close(int number, String sender, double cosine) {
    near.add(new SearchHit.Vector(id(number), cosine));
    compared.add(new SearchHit.Compared(
        id(number),
        sender.equals("You"),
        sender,
        written(number, "x".repeat(110)),
        id(number - 1),
        id(number + 1),
        cosine));
  }

  private void word(int number, double share) {
    words.add(new SearchHit.Lexical(id(number), share, 1, 1, 2, share));
  }

  private Candidates asked(String question) {
    near.sort((one, other) -> Double.compare(other.cosine(), one.cosine()));
    return new Candidates(new Legs(words, near, List.of(), List.of()), compared, question, CONFIG);
  }

  private List<UUID> order(String question) {
    return asked(question).ranked().stream().map(Retrieved.Ranked::messageId).toList();
  }

  @Test
  @DisplayName("whom a question names is heard before another who is a little nearer")
  void speaker() {
    close(10, "Ana", 0.86);
    close(20, "Ben", 0.85);
    close(30, "Cleo", 0.80);
    assertThat(order("What did someone buy?")).containsExactly(id(10), id(20), id(30));
    assertThat(order("What did Ben's aunt buy?")).containsExactly(id(20), id(10), id(30));
    assertThat(order("What did Ana and Ben buy?")).startsWith(id(10), id(20));
  }

  @Test
  @DisplayName("a message among near ones passes a slightly nearer one that stands alone")
  void talk() {
    close(10, "Ana", 0.86);
    close(20, "Ben", 0.84);
    close(21, "Ana", 0.855);
    close(22, "Ben", 0.85);
    close(40, "Ben", 0.78);
    assertThat(order("anything")).startsWith(id(21));
  }

  @Test
  @DisplayName("evidence is how well the best message fits and stands out, not the sum of two")
  void evidence() {
    close(10, "Ana", 0.85);
    close(20, "Ben", 0.80);
    word(20, 0.9);
    assertThat(asked("anything").evidence()).isCloseTo(0.89 + 0.5 * 0.04, within(1e-9));
    assertThat(asked("Ben's anything").evidence()).isCloseTo(0.90 + 0.5 * 0.05, within(1e-9));
    for (int i = 0; i < 70; i++) {
      close(100 + 10 * i, "Cleo", 0.82);
    }
    assertThat(asked("anything").evidence()).isCloseTo(0.89 + 0.5 * 0.07, within(1e-9));
  }

  @Test
  @DisplayName(
      "without any candidate there is no evidence, and a message gone meanwhile is no candidate")
  void none() {
    assertThat(asked("anything").evidence()).isZero();
    word(1, 1);
    near.add(new SearchHit.Vector(id(2), 0.9));
    assertThat(order("anything")).isEmpty();
  }

  private static Retrieved.Ranked hit(@Nullable Double cosine, double share) {
    return new Retrieved.Ranked(id(1), 1, cosine, share);
  }

  @Test
  @DisplayName("a question needs a good message, a message its words or its cosine")
  void floors() {
    Floors floors = new Floors(CONFIG, "e5", false, 50);
    List<Retrieved.Ranked> found = List.of(hit(0.80, 0.3));
    assertThat(floors.isEnough(0.839, found)).isFalse();
    assertThat(floors.isEnough(0.84, found)).isTrue();
    assertThat(floors.pass(hit(0.79, 0.3), Set.of())).isFalse();
    assertThat(floors.pass(hit(0.80, 0), Set.of())).isTrue();
    assertThat(floors.pass(hit(null, 0.9), Set.of(id(1)))).isTrue();
    assertThat(new Floors(CONFIG, "e5", true, 50).isEnough(0.05, found)).isTrue();
    assertThat(new Floors(CONFIG, "another", false, 50).isEnough(0.05, found)).isTrue();
  }

  @Test
  @DisplayName(
      "where few messages were found nothing stands out: their own cosine has to be higher")
  void fewFound() {
    Floors floors = new Floors(CONFIG, "e5", false, 2);
    assertThat(floors.isEnough(0.82, List.of(hit(0.83, 0)))).isTrue();
    assertThat(floors.pass(hit(0.81, 0), Set.of())).isFalse();
    assertThat(floors.pass(hit(0.84, 0), Set.of())).isTrue();
    assertThat(floors.pass(hit(0.7, 0.5), Set.of(id(1)))).isTrue();
  }

  @Test
  @DisplayName("a message that waits for its vector is evidence by its words")
  void notIndexedYet() {
    Floors floors = new Floors(CONFIG, "e5", false, 50);
    assertThat(floors.isEnough(0.1, List.of(hit(0.80, 0.1), hit(null, 0.6)))).isTrue();
    assertThat(floors.isEnough(0.1, List.of(hit(0.80, 0.6)))).isFalse();
  }

  @ParameterizedTest(name = "{0} by {1}: {2}")
  @CsvSource({
    "What did Ana say?,        Ana Ruiz, true",
    "What's ANA\u2019s plan?, Ana,      true",
    "What did Ana's dog eat?,  Grad S,   false",
    "What did Anabel say?,     Ana,      false",
    "What did I say to Ana?,   You,      true",
    "What did Ana say?,        You,      false",
  })
  @DisplayName("a question names a sender by any whole word of the name")
  void names(String question, String sender, boolean named) {
    SearchHit.Compared message = new SearchHit.Compared(
        id(1),
        sender.equals("You"),
        sender.equals("You") ? "" : sender,
        written(1, "x"),
        null,
        null,
        null);
    assertThat(new Speakers(question).name(message)).isEqualTo(named);
  }
}
