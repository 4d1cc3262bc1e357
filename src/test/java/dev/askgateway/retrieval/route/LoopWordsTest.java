package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message leaves something open")
class LoopWordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I'll send you the form tomorrow",
        "I\u2019ll get back to you",
        "let me check with Tom",
        "ok I will call them",
        "Te mando las fotos luego",
        "Mañana te llamo",
        "Yo me encargo",
        "voy a reservar mesa"
      })
  @DisplayName("when its writer takes it on")
  void promises(String text) {
    assertThat(LoopWords.promises(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I'll send it?",
        "she will call",
        "send me the form",
        "no te mando nada",
        "I won't send it",
        "hello",
        "te quiero"
      })
  @DisplayName("but not when nobody does")
  void promisesNothing(String text) {
    assertThat(LoopWords.promises(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Can you send me the form?",
        "please call the plumber",
        "don't forget to lock up",
        "¿Puedes comprar pan?",
        "Mándame el contrato",
        "no olvides la llave"
      })
  @DisplayName("when it asks its reader for something")
  void requests(String text) {
    assertThat(LoopWords.requests(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"you are funny", "can you believe it", "thanks for the form", "gracias"})
  @DisplayName("but not when it only speaks to them")
  void requestsNothing(String text) {
    assertThat(LoopWords.requests(text)).isFalse();
  }
}
