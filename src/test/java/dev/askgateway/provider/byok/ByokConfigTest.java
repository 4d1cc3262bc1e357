package dev.askgateway.provider.byok;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByokConfigTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "not base64!", "c2hvcnQ=", "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"})
  @DisplayName("a key that is not 32 bytes of base64 is refused without being repeated")
  void badKey(String key) {
    assertThatThrownBy(() -> new ByokConfig(true, Map.of("k1", key), "k1", false, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("byok.keys is not usable")
        .satisfies(refused ->
            assertThat(key.isEmpty() || !refused.getMessage().contains(key)).isTrue());
  }

  @Test
  @DisplayName("there is a key if people may bring theirs, and the current one is among them")
  void currentKey() {
    assertThatThrownBy(() -> new ByokConfig(true, Map.of(), "", false, false))
        .hasMessageStartingWith("byok.keys is empty");
    assertThatThrownBy(
            () -> new ByokConfig(true, Map.of("k1", OwnServers.OLD_KEY), "k2", false, false))
        .hasMessageStartingWith("byok.currentKey");
    assertThat(ByokConfig.DISABLED.enabled()).isFalse();
  }

  @Test
  @DisplayName("its text names the keys and shows none")
  void text() {
    assertThat(OwnServers.CONFIG.toString())
        .contains("old")
        .doesNotContain(OwnServers.OLD_KEY)
        .doesNotContain(Base64.getEncoder().encodeToString(new byte[] {1, 1, 1}));
  }
}
