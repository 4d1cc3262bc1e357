package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", " a", "a\0b", "a\nb", "\ud800"})
  @DisplayName("a blank, padded or broken subject names nobody")
  void refuses(String subject) {
    assertThat(UserId.isValid(subject)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"u1", "auth0|abc", "6c84fb90-12c4-11e1-840d-7b25c5ee775a", "ana@example.org"})
  @DisplayName("the subjects of real issuers do")
  void accepts(String subject) {
    assertThat(UserId.isValid(subject)).isTrue();
    assertThat(UserId.isValid("x".repeat(255))).isTrue();
    assertThat(UserId.isValid("x".repeat(256))).isFalse();
  }
}
