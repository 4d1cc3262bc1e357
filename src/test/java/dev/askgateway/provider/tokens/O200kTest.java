package dev.askgateway.provider.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The vocabulary o200k_base")
class O200kTest {
  private static final O200k COUNTER = O200k.load();

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "hello world, 2",
    "antidisestablishmentarianism, 6",
    "2 + 2 = 4, 7",
    "お誕生日おめでとう, 8",
    "'', 0"
  })
  @DisplayName("counts as its maker says")
  void known(String text, long tokens) {
    assertThat(COUNTER.count(text)).isEqualTo(tokens);
  }

  @Test
  @DisplayName("takes its own marks for the text that they are")
  void special() {
    assertThat(COUNTER.count("<|endoftext|>")).isGreaterThan(1);
  }

  @Test
  @DisplayName("counts prose in pieces as it does whole")
  void pieces() {
    Encoding whole = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    for (String language : List.of("english", "russian", "hindi", "korean")) {
      String text = Texts.prose().get(language).repeat(300);
      assertThat(text.length()).isGreaterThan(4 * O200k.PIECE);
      assertThat(COUNTER.count(text)).as(language).isEqualTo(whole.countTokensOrdinary(text));
    }
  }

  @Test
  @DisplayName("is off by two tokens at most for each cut of a text without blanks")
  void cuts() {
    Encoding whole = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    Texts.hostile(20_000).forEach((kind, text) -> assertThat(COUNTER.count(text))
        .as(kind)
        .isBetween(whole.countTokensOrdinary(text) - 20L, whole.countTokensOrdinary(text) + 20L));
  }

  @Test
  @DisplayName("gives the tokenizer no piece over the limit, so that time grows with length only")
  void linear() {
    Texts.hostile(50_000).forEach((kind, text) -> {
      long parts = 0;
      for (String piece : O200k.pieces(text)) {
        assertThat(piece.length()).as(kind).isBetween(1, O200k.PIECE);
        parts++;
      }
      assertThat(parts).as(kind).isLessThanOrEqualTo(2L * text.length() / O200k.PIECE + 1);
      assertThat(String.join("", O200k.pieces(text))).isEqualTo(text);
    });
  }

  @Test
  @DisplayName("makes no more tokens than there are bytes")
  void bound() {
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      int from = random.nextInt(0xd000);
      String text =
          Texts.drawn(random, 1 + random.nextInt(400), from, from + 1 + random.nextInt(400));
      assertBounded(text);
    }
    Texts.all().forEach(O200kTest::assertBounded);
  }

  private static void assertBounded(String text) {
    TokenCount bound = TokenCount.bound(List.of(text));
    assertThat(bound.most()).isGreaterThanOrEqualTo(Texts.bytes(text));
    assertThat(bound.tokens()).isEqualTo(bound.most());
    assertThat(COUNTER.count(text)).as(text).isLessThanOrEqualTo(bound.most());
  }
}
