package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A usage report of Gemini")
class GeminiUsageTest {
  private static JsonObject event(String metadata) {
    return new JsonObject("{\"usageMetadata\":" + metadata + "}");
  }

  @Test
  @DisplayName("tells images of the prompt apart from what of them was cached, and from text")
  void images() {
    assertThat(new GeminiUsage().read(event("""
            {"promptTokenCount":1400,"cachedContentTokenCount":600,"candidatesTokenCount":5,
             "promptTokensDetails":[{"modality":"TEXT","tokenCount":368},{"modality":"IMAGE","tokenCount":1032}],
             "cacheTokensDetails":[{"modality":"IMAGE","tokenCount":516},{"modality":"TEXT","tokenCount":84}]}""")))
        .isEqualTo(new Usage(800, 600, 0, 5, 0, 516, false));
  }

  @Test
  @DisplayName("keeps what an earlier report told of images, and none that tools read")
  void later() {
    GeminiUsage usage = new GeminiUsage();
    usage.read(event("""
        {"promptTokenCount":300,"promptTokensDetails":[{"modality":"IMAGE","tokenCount":258}]}"""));

    assertThat(usage.read(event("""
            {"promptTokenCount":300,"candidatesTokenCount":9,"toolUsePromptTokenCount":50}"""))).isEqualTo(new Usage(350, 0, 0, 9, 0, 258, false));
    assertThat(new GeminiUsage().read(event("""
            {"promptTokenCount":300,"toolUsePromptTokenCount":500,
             "promptTokensDetails":[{"modality":"IMAGE","tokenCount":700}]}""")))
        .isEqualTo(new Usage(800, 0, 0, 0, 0, 300, false));
  }
}
