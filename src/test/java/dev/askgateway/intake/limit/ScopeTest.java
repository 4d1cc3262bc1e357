package dev.askgateway.intake.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.limit.Limit;
import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
  @ParameterizedTest
  @CsvSource({
    "POST, /ai/assistant/messages, ASK",
    "POST, /ai/assistant/messages//, ASK",
    "POST, /ai/assistant/threads/t/messages, ASK",
    "POST, /ai/assistant/conversations/c/messages/, ASK",
    "POST, /ai/search, ASK",
    "POST, /v1/chat/completions, ASK",
    "POST, /v1/embeddings, ASK",
    "POST, /ai/messages, OTHER",
    "POST, /ai/assistant/threads, OTHER",
    "POST, /ai/assistant/requests/r/cancel, OTHER",
    "GET, /ai/assistant/messages/m/stream, OTHER",
    "GET, /v1/models, OTHER",
    "GET, /v1/chat/completions, OTHER",
    "POST, /, OTHER"
  })
  @DisplayName("what costs the work of models is a question, all else is not")
  void scopes(String method, String path, Scope scope) {
    assertThat(Scope.of(HttpMethod.valueOf(method), path)).isEqualTo(scope);
  }

  @Test
  @DisplayName("limits that cannot be right stop the start with key, value and rule")
  void rules() {
    Limit good = new Limit(60, 20, 8);
    assertThatThrownBy(() -> new LimitConfig(new Limit(-1, 1, 0), good, good, 0))
        .hasMessage("limits.ask.perMinute is -1; it must be 0 to 1000000");
    assertThatThrownBy(() -> new LimitConfig(good, new Limit(1, 0, 0), good, 0))
        .hasMessage("limits.other.burst is 0; it must be 1 to 1000000");
    assertThatThrownBy(() -> new LimitConfig(good, good, good, 17))
        .hasMessage("limits.trustedProxies is 17; it must be 0 to 16");
  }
}
