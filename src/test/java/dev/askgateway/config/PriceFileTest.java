package dev.askgateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBook.Price;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A price book's file")
class PriceFileTest {
  private static final String HEAD = "id: list\nvalidFrom: 2026-12-01\n";

  @Test
  @DisplayName("is read exactly; cached input is never free by oversight")
  void read() {
    PriceBook book = PriceFile.parse(HEAD + """
            models:
              openai:gpt-4.1-mini: {input: "0.05", output: "0.4"}
              "anthropic:claude:x":
                input: '3'
                cacheRead: "0.3"
                cacheWrite: "3.75"
                output: "15.000000"
                reasoning: "16"
                image: "1.25"
              openai:vectors: {embedding: "0.02"}
            """, "p.yaml");

    assertThat(book.id()).isEqualTo("list");
    assertThat(book.validFrom()).isEqualTo(LocalDate.of(2026, 12, 1));
    assertThat(book.models())
        .isEqualTo(Map.of(
            "openai:gpt-4.1-mini",
            new Price(50_000, 50_000, 50_000, 400_000, 400_000, 50_000, 50_000),
            "anthropic:claude:x",
            new Price(3_000_000, 300_000, 3_750_000, 15_000_000, 16_000_000, 3_000_000, 1_250_000),
            "openai:vectors",
            new Price(0, 0, 0, 0, 0, 20_000, 0)));
  }

  private static Arguments bad(String models, String told) {
    return Arguments.of(HEAD + "models: {" + models + "}", told);
  }

  static Stream<Arguments> wrong() {
    String rule = "; it must be US dollars for a million tokens";
    return Stream.of(
        bad("'a:b': {input: 0.05, output: '1'}", "models.a:b.input is \"0.05\"" + rule),
        bad("'a:b': {input: '5e-2', output: '1'}", "models.a:b.input is \"5e-2\"" + rule),
        bad("'a:b': {input: '-1', output: '1'}", "models.a:b.input is \"-1\"" + rule),
        bad("'a:b': {input: '1', output: '10001'}", "models.a:b.output is \"10001\"" + rule),
        bad("'a:b': {input: '1', output: '0.0000001'}", "models.a:b.output is"),
        bad("'a:b': {input: ['1'], output: '1'}", "models.a:b.input is wrong" + rule),
        bad("'a:b': {input: , output: '1'}", "models.a:b.input is \"\"" + rule),
        bad("'a:b': {input: true, output: '1'}", "models.a:b.input is \"true\"" + rule),
        bad(
            "'a:b': {inptu: '1', output: '1'}",
            "models.a:b.inptu is \"1\"; it must be one of cache"),
        bad("'a:b': {input: '1'}", "models.a:b.output is missing"),
        bad("'a:b': {}", "models.a:b.input is missing"),
        bad("'a:b': '1'", "models.a:b is \"1\"; it must be a section with keys"),
        bad("'ab': {input: '1', output: '1'}", "models.ab is a name; it must be provider:model"),
        bad("'a:b': {embedding: '1'}, 'a:b': {embedding: '1'}", "models.a:b is there twice"),
        bad("'a:b': {embedding: '1', embedding: '1'}", "models.a:b.embedding is there twice"),
        Arguments.of(HEAD + "models: []", "models is wrong; it must be a section"),
        Arguments.of(
            HEAD + "models: {}\nmore: 1", "more is \"1\"; it must be id, validFrom or models"),
        Arguments.of(HEAD + "models: {}\nid: list", "id is there twice"),
        Arguments.of(HEAD, "models is missing"),
        Arguments.of("id: list\nmodels: {}", "validFrom is missing"),
        Arguments.of("id: 7\nvalidFrom: 2026-12-01\nmodels: {}", "id is \"7\"; it must be a text"),
        Arguments.of("id: a b\nvalidFrom: 2026-12-01\nmodels: {}", "prices.id is a b"),
        Arguments.of("id: x\nvalidFrom: tomorrow\nmodels: {}", "validFrom is \"tomorrow\""),
        Arguments.of("id: x\nvalidFrom: 2026-02-30\nmodels: {}", "validFrom is \"2026-02-30\""),
        Arguments.of("id: x\nvalidFrom: 1026-02-03\nmodels: {}", "prices.validFrom is 1026-02-03"),
        Arguments.of("- a", "the price book is wrong; it must be a section with keys"),
        Arguments.of("", "the price book is empty"),
        Arguments.of("id: [", "the price book is not YAML"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  @DisplayName("is refused by the key that is wrong")
  void refused(String text, String told) {
    assertThatThrownBy(() -> PriceFile.parse(text, "p.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(told);
  }

  @Test
  @DisplayName("tells the line, and a file that is not there")
  void places() {
    assertThatThrownBy(() -> PriceFile.parse(HEAD + "models:\n  a:b:\n    input: 1\n", "p.yaml"))
        .hasMessageEndingWith("(p.yaml line 5)");
    assertThatThrownBy(() -> PriceFile.read(Path.of("no", "such.yaml")))
        .hasMessage("the file no/such.yaml cannot be read as UTF-8 text");
  }
}
