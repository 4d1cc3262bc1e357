package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CitationFilterTest {
  private static final Set<String> LABELS = Set.of("S1", "S2", "S3");

  private record Shown(String text, List<String> cited, int dropped) {}

  private static Shown show(List<String> deltas) {
    CitationFilter filter = new CitationFilter(LABELS);
    List<CitationFilter.Piece> pieces = new ArrayList<>();
    deltas.forEach(delta -> pieces.addAll(filter.accept(delta)));
    pieces.addAll(filter.end());
    StringBuilder text = new StringBuilder();
    List<String> cited = new ArrayList<>();
    for (CitationFilter.Piece piece : pieces) {
      text.append(piece.mark() ? "[" + piece.text() + "]" : piece.text());
      if (piece.mark()) {
        cited.add(piece.text());
      }
    }
    return new Shown(text.toString(), cited, filter.dropped());
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Dinner [S1].|Dinner [S1].|0",
        "Dinner [S1][S2] ok|Dinner [S1][S2] ok|0",
        "Dinner [S1, S2] ok|Dinner [S1][S2] ok|0",
        "Dinner [s1; S9] ok|Dinner [S1] ok|1",
        "Dinner [S9].|Dinner.|1",
        "Dinner [S0] and [S4] and [S2]|Dinner and and [S2]|2",
        "Dinner [S1|Dinner|1",
        "See [the list](x) and a[3]|See [the list](x) and a[3]|0",
        "[Saturday] [S] []|[Saturday] [S] []|0",
        "[[S1]]|[[S1]]|0",
        "x [|x [|0",
        "A [S[S9]7] b|A [S b|2",
        "A [[S9]S8] b|A [ b|2",
        "A [S [S8]9] b [S1]|A [S b [S1]|2",
        "A [S[S1]7] b|A [S[S1]7] b|0",
        "A [S1-S9] b|A [S1] b|1",
        "A [S1 – S2] b|A [S1][S2] b|0",
        "A 【S9】 ［S2］ [Ѕ3]|A [S2] [S3]|1",
        "A [S\u200b9] [S\uFF11]|A [S1]|1",
        "A [S12345678901] [S01]|A|2",
        "keep  both  blanks [S3]  here|keep  both  blanks [S3]  here|0",
      })
  @DisplayName("valid marks stay, unknown ones go without a gap, other brackets are text")
  void marks(String in, String out, int dropped) {
    Shown shown = show(List.of(in));

    assertThat(shown.text()).isEqualTo(out);
    assertThat(shown.dropped()).isEqualTo(dropped);
  }

  @Test
  @DisplayName("however the text is cut into deltas, the same comes out")
  void anyCut() {
    String text =
        "You agreed 🙂 to dinner [S1], then [S2,S7] and क [S9] again [S3]. [not a mark] [S1";
    Shown whole = show(List.of(text));
    Random random = new Random(11);
    for (int round = 0; round < 2_000; round++) {
      List<String> deltas = new ArrayList<>();
      for (int at = 0; at < text.length(); ) {
        int next = Math.min(text.length(), at + 1 + random.nextInt(1 + random.nextInt(9)));
        deltas.add(text.substring(at, next));
        at = next;
      }
      assertThat(show(deltas)).isEqualTo(whole);
    }
    assertThat(whole.cited()).containsExactly("S1", "S2", "S3");
  }

  @Test
  @DisplayName("what is shown never holds an unknown mark, half a character or a NUL")
  void neverUnknown() {
    String alphabet = "[[]]SS1239s, ;-a【】\u200b\ud83d\ude42\0";
    Random random = new Random(5);
    for (int round = 0; round < 20_000; round++) {
      List<String> deltas = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        StringBuilder delta = new StringBuilder();
        for (int j = random.nextInt(6); j >= 0; j--) {
          delta.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        deltas.add(delta.toString());
      }
      String text = show(deltas).text();
      assertThat(text)
          .doesNotContain("\0")
          .doesNotContainPattern("[\\[【][Ss]\u200b?(9|12|13|23|31|32|\\d{3,})[\\]】]");
      assertThat(dev.askgateway.core.SafeText.isWellFormed(text)).isTrue();
    }
  }
}
