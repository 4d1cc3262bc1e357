package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.askgateway.core.Usage;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A usage report of OpenAI's form")
class OpenAiUsageTest {
  private static Usage read(String report) throws IOException {
    try (JsonParser at = new JsonFactory().createParser(report)) {
      at.nextToken();
      return OpenAiUsage.read(at);
    }
  }

  @Test
  @DisplayName("tells images of the prompt apart, as part of the input that was read anew")
  void images() throws IOException {
    assertThat(read("""
            {"prompt_tokens":900,"completion_tokens":7,
             "prompt_tokens_details":{"cached_tokens":100,"image_tokens":300}}""")).isEqualTo(new Usage(800, 100, 0, 7, 0, 300, false));
    assertThat(read("""
            {"prompt_tokens":900,"completion_tokens":7,
             "prompt_tokens_details":{"cached_tokens":700,"image_tokens":300}}""")).isEqualTo(new Usage(200, 700, 0, 7, 0, 200, false));
  }

  @Test
  @DisplayName("counts no image that was made as one that was read, whichever is told first")
  void madeImages() throws IOException {
    assertThat(read("""
            {"prompt_tokens":90,"completion_tokens":70,
             "prompt_tokens_details":{"image_tokens":30},"completion_tokens_details":{"image_tokens":60}}""")).isEqualTo(new Usage(90, 0, 0, 70, 0, 30, false));
    assertThat(read("""
            {"completion_tokens_details":{"image_tokens":60},"prompt_tokens":90,"completion_tokens":70}""")).isEqualTo(new Usage(90, 0, 0, 70, 0, 0, false));
  }
}
