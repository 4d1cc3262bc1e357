package dev.askgateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.BudgetRefusal;
import dev.askgateway.core.GatewayError;
import dev.askgateway.relay.edge.EdgeErrors;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorTableTest {
  @ParameterizedTest
  @CsvSource({
    "invalid_request,400",
    "unauthenticated,401",
    "budget_exhausted,402",
    "insufficient_credits,402",
    "ai_disabled,403",
    "not_found,404",
    "method_not_allowed,405",
    "not_acceptable,406",
    "request_conflict,409",
    "payload_too_large,413",
    "context_too_large,413",
    "unsupported_media_type,415",
    "rate_limited,429",
    "internal,500",
    "interrupted,500",
    "provider_failed,502",
    "provider_truncated,502",
    "no_provider,503",
    "models_off,503",
    "overloaded,503",
    "dependency_unavailable,503",
    "provider_timeout,504"
  })
  @DisplayName("each code has the status of the contract")
  void statuses(String code, int status) {
    ErrorTable.Row row = ErrorTable.rowFor(GatewayError.Code.ofWire(code));

    assertThat(row.status()).isEqualTo(status);
    assertThat(row.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @EnumSource(GatewayError.Code.class)
  @DisplayName("every code has a row under its own name")
  void complete(GatewayError.Code code) {
    assertThat(ErrorTable.rowFor(code).code()).isEqualTo(code.wire());
  }

  @Test
  @DisplayName("an unknown failure tells nothing of itself")
  void unknown() {
    assertThat(ErrorTable.body(new IllegalStateException("secret")).encode())
        .contains("\"code\":\"internal\"")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @EnumSource(BudgetRefusal.Reason.class)
  @DisplayName(
      "why an account holds no more is in both envelopes; what is in use can be tried again soon")
  void budget(BudgetRefusal.Reason reason) {
    Instant until = Instant.parse("2027-01-01T00:00:00Z");
    GatewayError refused = GatewayError.budgetExhausted(new BudgetRefusal(reason, true, until));
    boolean soon = reason == BudgetRefusal.Reason.IN_USE;

    JsonObject body = ErrorTable.body(refused);
    JsonObject edge = EdgeErrors.body(refused).getJsonObject("error");

    assertThat(ErrorTable.rowFor(refused).status()).isEqualTo(402);
    assertThat(body.getBoolean("retryable")).isEqualTo(soon);
    assertThat(body.getLong("retryAfterMs")).isEqualTo(soon ? 1_000L : null);
    assertThat(edge.getString("type")).isEqualTo("insufficient_quota");
    assertThat(List.of(body, edge)).allSatisfy(said -> {
      assertThat(said.getString("code")).isEqualTo("budget_exhausted");
      assertThat(said.getString("reason")).isEqualTo(reason.wire());
      assertThat(said.getBoolean("waitingHelps")).isTrue();
      assertThat(said.getString("until")).isEqualTo("2027-01-01T00:00:00Z");
    });
  }

  @Test
  @DisplayName("field and delay are in the body, for clients that see no headers")
  void details() {
    assertThat(
            ErrorTable.body(GatewayError.invalid("/question", "too long")).getJsonArray("details"))
        .hasSize(1);
    assertThat(ErrorTable.body(new GatewayError(GatewayError.Code.NO_PROVIDER, "none")
                .retryAfter(Duration.ofSeconds(3)))
            .getLong("retryAfterMs"))
        .isEqualTo(3000);
  }
}
