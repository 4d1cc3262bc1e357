package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An address in an answer")
class VisibleLinksTest {

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[the list](https://a.example)|[the list] (https://a.example)",
        "![x](https://a.example/p.png)|![x] (https://a.example/p.png)",
        "[r]: https://a.example|[r] : https://a.example",
        "<img src=x> </a> <!-- <?x|< img src=x> < /a> < !-- < ?x",
        "<https://a.example>|< https://a.example>",
        "1 < 2, <3, a[3] (b)|1 < 2, <3, a[3] (b)",
        "https://a.example/(x)|https://a.example/(x)",
      })
  @DisplayName("stands there as it is, never behind words, and nothing loads it")
  void visible(String in, String out) {
    assertThat(new VisibleLinks().text(in)).isEqualTo(out);
    VisibleLinks cut = new VisibleLinks();
    StringBuilder shown = new StringBuilder();
    in.chars().forEach(c -> shown.append(cut.text(String.valueOf((char) c))));
    assertThat(shown).hasToString(out);
  }

  @Test
  @DisplayName(
      "is not what a source mark leads to, and a colon after a mark in a line stays where it is")
  void marks() {
    VisibleLinks links = new VisibleLinks();
    links.mark();
    assertThat(links.text(": https://a.example")).startsWith(" :");
    links.mark();
    assertThat(links.text("(https://a.example)")).startsWith(" (");
    links.mark();
    assertThat(links.text(": yes")).isEqualTo(": yes");
  }
}
