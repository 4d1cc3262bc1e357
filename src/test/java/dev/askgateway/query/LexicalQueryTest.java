package dev.askgateway.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LexicalQueryTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant AT = Instant.parse("2026-09-08T12:00:00Z");

  private static LexicalQuery of(String question) {
    return LexicalQuery.of(question, new QueryCompiler().compile(question, AT, UTC));
  }

  /** The first spelling of each term. */
  private static List<String> words(LexicalQuery query) {
    return query.terms().stream()
        .map(term -> String.join(" ", term.spellings().get(0).words()))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "When did Melanie go to the pottery workshop? | melanie,pottery,workshop",
        "plan A - budget | budget",
        "the - best | best",
        "what did Ana say yesterday about the wedding | ana,wedding",
        "what did Ana say about the wedding on 2026-09-01 | ana,wedding",
        "I made plans on Saturday, with whom? | saturday",
        "who are my closest people in Mexico City | cdmx",
        "O'Brien's 2nd car | brien,2nd,car",
        "call +91 98765 43210 | call,91,98765,43210",
      })
  @DisplayName("the content words are left of:")
  void contentWords(String question, String expected) {
    assertThat(String.join(",", words(of(question)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "who was it",
        "🎂",
        "what did I say to him",
        "",
        "- & | !",
        "what did I say yesterday?",
        "summarise this chat"
      })
  @DisplayName("no content word is found in")
  void empty(String question) {
    assertThat(of(question).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("one thing by two names is one term with all its names")
  void aliases() {
    LexicalQuery query = of("dinner in CDMX");
    assertThat(query.terms()).hasSize(2);
    assertThat(query.terms().get(1).spellings())
        .extracting(LexicalQuery.Phrase::words)
        .containsExactly(
            List.of("cdmx"), List.of("mexico", "city"), List.of("ciudad", "de", "mexico"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "who are my closest people in Mexico City or Brooklyn | cdmx/mexico city/ciudad de mexico/brooklyn/bk",
        "did Ana buy red or white wine | ana + buy + red/white + wine",
        "is it Ana, Leo or Sam | sam/leo/ana",
        "¿vino Ana o Leo? | vino + leo/ana",
        "either way or else | way",
        "coffee or | coffee",
      })
  @DisplayName("what or joins is one thing asked for:")
  void alternatives(String question, String expected) {
    assertThat(of(question).terms().stream().map(LexicalQueryTest::spelled).toList())
        .map(spellings -> new TreeSet<>(List.of(spellings.split("/"))))
        .containsExactlyElementsOf(java.util.Arrays.stream(expected.split(" \\+ "))
            .map(spellings -> new TreeSet<>(List.of(spellings.split("/"))))
            .toList());
  }

  private static String spelled(LexicalQuery.Term term) {
    return term.spellings().stream()
        .map(spelling -> String.join(" ", spelling.words()))
        .collect(Collectors.joining("/"));
  }

  @Test
  @DisplayName("closest and live are words of the ranking, not of what people write about it")
  void rankingWords() {
    assertThat(words(of("who are my best friends that live in Brooklyn")))
        .containsExactly("brooklyn");
    assertThat(words(of("what did Ana say about her best friend"))).contains("best", "friend");
  }

  @Test
  @DisplayName(
      "neighbouring content words make a phrase, and words with a stop word between do not")
  void phrases() {
    assertThat(of("the pottery workshop of Ana").phrases())
        .extracting(LexicalQuery.Phrase::words)
        .containsExactly(List.of("pottery", "workshop"));
  }

  @Test
  @DisplayName("compounds with a digit are asked for part by part, the last one open-ended")
  void numbered() {
    LexicalQuery.Phrase parts = of("the p-8").terms().get(0).spellings().get(0);
    assertThat(parts).isEqualTo(new LexicalQuery.Phrase(List.of("p", "8"), true));
    LexicalQuery.Phrase phone = of("98765-43210").terms().get(0).spellings().get(0);
    assertThat(phone).isEqualTo(new LexicalQuery.Phrase(List.of("98765", "43210"), false));
  }

  @Test
  @DisplayName("of a long question's words the longest are asked for, in its order")
  void longQuestion() {
    String told = "cat dog hen cow pig rat bat elk emu owl ape ant bee fly fox ram ewe sow";
    assertThat(words(of(told))).hasSize(18).endsWith("sow");
    assertThat(words(of(told + " armadillo hen")))
        .hasSize(18)
        .startsWith("cat")
        .endsWith("armadillo")
        .doesNotContain("sow");
  }

  @Test
  @DisplayName(
      "whatever is asked, only letters, digits and inner hyphens go on, bounded in number and length")
  void property() {
    Random random = new Random(9);
    for (int round = 0; round < 3000; round++) {
      StringBuilder question = new StringBuilder();
      for (int i = random.nextInt(200); i >= 0; i--) {
        question.appendCodePoint(
            random.nextInt(3) == 0
                ? random.nextInt(0x11000)
                : " -'\\&|!:*abc12".charAt(random.nextInt(14)));
      }
      LexicalQuery query = LexicalQuery.of(question.toString(), QueryPlan.plain());
      assertThat(query.terms()).hasSizeLessThanOrEqualTo(LexicalQuery.MAX_TERMS);
      query.terms().forEach(term -> term.spellings()
          .forEach(spelling -> spelling.words().forEach(word -> assertThat(word)
              .matches("[\\p{L}\\p{N}\\p{M}-]{1,70}")
              .doesNotStartWith("-")
              .doesNotEndWith("-"))));
    }
  }
}
