package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // Accept                             | stream | plain body | SDK body
        "-                                    | -      | false      | true",
        "*/*                                  | -      | false      | true",
        "*/*                                  | true   | true       | true",
        "*/*                                  | false  | false      | false",
        "application/json                     | -      | false      | false",
        "application/json                     | true   | true       | true",
        "text/event-stream                    | -      | true       | true",
        "text/event-stream                    | false  | true       | true",
        "Text/Event-Stream;q=0.5              | -      | true       | true",
        "application/json, text/event-stream  | -      | true       | true",
        "application/json, text/plain, */*    | -      | false      | false",
        "text/event-stream;q=0, */*           | -      | false      | true",
      })
  @DisplayName("events go to who asks for them, and to the SDK when it says nothing")
  void form(String accept, Boolean stream, boolean plain, boolean sdk) {
    Accept said = Accept.of(accept == null ? List.of() : List.of(accept));
    assertThat(said.wantsEvents(stream, false)).isEqualTo(plain);
    assertThat(said.wantsEvents(stream, true)).isEqualTo(sdk);
  }

  @Test
  @DisplayName(
      "a type is allowed by its name, its group or anything, and not with a weight of zero")
  void allows() {
    assertThat(Accept.of(List.of()).allows(Accept.JSON)).isTrue();
    assertThat(Accept.of(List.of("text/html")).allows(Accept.JSON)).isFalse();
    assertThat(Accept.of(List.of("text/html, application/*;q=0.1")).allows(Accept.JSON))
        .isTrue();
    assertThat(Accept.of(List.of("*/*, application/json;q=0")).allows(Accept.JSON))
        .isFalse();
    assertThat(Accept.of(List.of("*/*;q=0.0")).allows(Accept.JSON)).isFalse();
    assertThat(Accept.of(List.of("text/html", "*/*")).allows(Accept.EVENTS)).isTrue();
    assertThat(Accept.of(List.of(",;q=1,")).allows(Accept.JSON)).isTrue();
  }
}
