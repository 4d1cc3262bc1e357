package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Usage")
class UsageTest {

  @Test
  @DisplayName("holds parts that are never more than the whole they are of, whatever is reported")
  void parts() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      Usage usage = new Usage(
          random.nextInt(-50, 200),
          random.nextInt(-50, 200),
          random.nextInt(-50, 200),
          random.nextInt(-50, 200),
          random.nextInt(-50, 400),
          random.nextInt(-50, 400),
          random.nextBoolean());

      assertThat(usage.imageTokens()).isBetween(0L, usage.inputTokens());
      assertThat(usage.reasoningTokens()).isBetween(0L, usage.outputTokens());
      assertThat(Usage.fromJson(usage.toJson())).isEqualTo(usage);
    }
  }

  @Test
  @DisplayName("of before images were told apart reads as without them")
  void older() {
    assertThat(Usage.fromJson(new JsonObject("{\"inputTokens\":9,\"outputTokens\":2}")))
        .isEqualTo(new Usage(9, 0, 0, 2, 0, 0, false));
  }
}
