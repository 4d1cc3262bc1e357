package dev.askgateway.provider.byok;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The full name of a model of one's own")
class OwnModelNameTest {
  private static final String ID = "6a3d5a39-53a4-4a39-8a3e-1fbb8fb0f8e1";

  @Test
  @DisplayName("holds the connection and a model whose id may have slashes")
  void parts() {
    assertThat(OwnModelName.of("own/" + ID + "/meta/llama-3:8b"))
        .isEqualTo(new OwnModelName(UUID.fromString(ID), "meta/llama-3:8b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "own/",
        "own/x/m",
        "own/" + ID,
        "own/" + ID + "/",
        "own/" + ID + "/../admin",
        "own/" + ID + "/a//b",
        "own/" + ID + "/a/../b",
        "own/" + ID + "/a?key=b",
        "own/" + ID + "/a b",
        "own/" + ID + "/a\n"
      })
  @DisplayName("is of one form, and what only begins like it is no model")
  void malformed(String name) {
    assertThat(OwnModelName.isOne(name)).isTrue();
    assertThatThrownBy(() -> OwnModelName.of(name))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.NOT_FOUND));
  }
}
