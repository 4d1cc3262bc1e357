package dev.askgateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is shown of a secret")
class RedactionTest {
  private static final String BYOK_KEY = "b".repeat(43) + "=";

  @ParameterizedTest
  @DisplayName("of an address is all but its password")
  @CsvSource({
    "database.url, postgresql://ana:pw@db/ask, postgresql://ana:***@db/ask",
    "database.url, postgresql://ana:p/w:@x@db:5/ask, postgresql://ana:***@db:5/ask",
    "redis.url, redis://:pw@cache:6379/0, redis://:***@cache:6379/0",
    "redis.url, redis://cache:6379, redis://cache:6379",
    "providers.openai.baseUrl, https://sk-1@llm/v1, https://***@llm/v1",
    "providers.openai.baseUrl, https://llm/v1?api_key=sk-1&v=2, https://llm/v1?api_key=***&v=2",
    "database.url, ana:pw@db/ask, ***",
    "providers.openai.apiKey, sk-1, ***",
    "tracing.headers, authorization=Basic abc, ***",
    "profiles.assistant_grounded.headers, 15s, 15s",
    "byok.keys, k1=c2stMQ==, ***",
    "auth.secret, x, ***",
    "http.host, 0.0.0.0, 0.0.0.0",
  })
  void shown(String key, String value, String shown) {
    assertThat(Redaction.shown(key, value)).isEqualTo(shown);
  }

  @Test
  @DisplayName("in a sentence is nothing, whatever the password is made of")
  void sentences() {
    Random random = new Random(7);
    String alphabet = "abcXYZ019:/@?#%&=._-+~!$";
    for (int i = 0; i < 2000; i++) {
      StringBuilder password = new StringBuilder("S3CR3T");
      for (int n = random.nextInt(12); n > 0; n--) {
        password.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String text = "cannot reach postgresql://ana:" + password + "@db/ask in time";
      assertThat(Redaction.address(text))
          .doesNotContain("S3CR3T")
          .isEqualTo("cannot reach postgresql://ana:***@db/ask in time");
    }
  }

  @Test
  @DisplayName("by the whole configuration, printed or as text, is nothing")
  void wholeConfiguration() {
    var environment = ConfigLoaderTest.environment(
        "OPENAI_BASE_URL", "https://llm.example/v1",
        "OPENAI_API_KEY", "sk-very-secret",
        "OPENAI_MODEL", "m",
        "ANTHROPIC_API_KEY", "sk-ant-secret",
        "ASK_BYOK_ENABLED", "true",
        "ASK_BYOK_KEYS", "k1=" + BYOK_KEY,
        "ASK_BYOK_CURRENT_KEY", "k1",
        "DATABASE_MIGRATION_URL", "postgresql://owner:pw-owner@db.example/ask");
    String printed = ConfigLoader.print(null, environment);
    String text = ConfigLoader.load(null, environment).toString();
    for (String secret : List.of(
        ConfigLoaderTest.SECRET,
        "pw-ana",
        "pw-redis",
        "pw-owner",
        "sk-very-secret",
        "sk-ant-secret",
        BYOK_KEY)) {
      assertThat(printed).doesNotContain(secret);
      assertThat(text).doesNotContain(secret);
    }
    assertThat(printed)
        .contains("  url: postgresql://ana:***@db.example/ask  # environment DATABASE_URL")
        .contains("    apiKey: ***  # environment OPENAI_API_KEY")
        .contains("  keys: [***]  # environment ASK_BYOK_KEYS")
        .contains("  port: 8080\n")
        .contains("\nprices:\n  id: list\n")
        .contains("  e5-384:\n    provider: onnx\n")
        .contains("    price:\n      input: 0\n")
        .doesNotContain("*:\n");
  }
}
