package dev.askgateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.retrieval.RetrievalConfig;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A version of retrieval")
class RetrievalVersionsTest {

  private static GatewayConfig load(String versions, String... more) {
    Map<String, String> environment = new HashMap<>(ConfigLoaderTest.environment());
    environment.put("ASK_RETRIEVAL_VERSIONS", versions);
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return ConfigLoader.load(null, environment);
  }

  @Test
  @DisplayName("is the configured one but for the keys that it sets")
  void overlaid() {
    GatewayConfig config = load(
        "deep=depth:150;anchors: 48,strict=evidenceFloors:e5-384=0.9", "ASK_RETRIEVAL_RRF_K", "20");
    RetrievalConfig base = config.retrieval();
    RetrievalConfig deep = config.retrieval("deep");
    assertThat(deep.depth()).isEqualTo(150);
    assertThat(deep.anchors()).isEqualTo(48);
    assertThat(deep.rrfK()).isEqualTo(20);
    assertThat(deep.cosineFloors()).isEqualTo(base.cosineFloors());
    assertThat(config.retrieval("strict").evidenceFloors()).isEqualTo(Map.of("e5-384", 0.9));
    assertThat(config.retrieval("strict").depth()).isEqualTo(base.depth()).isEqualTo(100);
  }

  @Test
  @DisplayName("that is none, or not there, is the configured one")
  void none() {
    GatewayConfig config = load("");
    assertThat(config.retrievalVersions()).isEmpty();
    assertThat(config.retrieval(null)).isSameAs(config.retrieval());
    assertThat(config.retrieval("deep")).isSameAs(config.retrieval());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "deep=depth:201           | retrieval.depth is 201; it must be 1 to 200",
        "deep=depth:many          | a whole number",
        "deep=termShare:0         | more than 0, at most 1",
        "deep=dept:100            | dept is none that a version may set",
        "deep=exactBelow:1        | exactBelow is none that a version may set",
        "deep=versions:x=y        | versions is none that a version may set",
        "deep=planner.enabled:on  | planner.enabled is none that a version may set",
        "deep=                    | name=key:value;key:value",
        "Deep=depth:100           | small letters",
      })
  @DisplayName("is held against the rules of its keys at the start")
  void refused(String versions, String told) {
    assertThatThrownBy(() -> load(versions))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("retrieval.versions")
        .hasMessageContaining(told);
  }
}
