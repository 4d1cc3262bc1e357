package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.query.QueryCompiler;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Who is asked for by their own words")
class SpeakerNamesTest {

  private static List<String> of(String question) {
    return SpeakerNames.of(
        question,
        new QueryCompiler()
            .compile(question, Instant.parse("2026-09-08T12:00:00Z"), ZoneOffset.UTC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "What did Ana say about the boat?|Ana",
        "Did Ana Keller ask for the rope?|Ana Keller",
        "messages from Ben about rent|Ben",
        "¿Qué dijo Ana del barco?|Ana",
        "¿Qué me contó Lucía?|Lucía",
        "What has Ana told me?|Ana"
      })
  @DisplayName("is who speaks in the question")
  void speaks(String question, String name) {
    assertThat(of(question)).containsExactly(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Where does Ana live now?",
        "What did Ana pass?",
        "What did I tell Ana?",
        "How much did Dev get for the van?",
        "What did everyone except Ana say?",
        "¿De qué está harta Lucía?"
      })
  @DisplayName("is nobody where anybody may tell it")
  void discussed(String question) {
    assertThat(of(question)).isEmpty();
  }
}
