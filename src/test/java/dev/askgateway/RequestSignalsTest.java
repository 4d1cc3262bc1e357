package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.RequestSummary;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Route;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.e2e.LogWatch;
import dev.askgateway.telemetry.Telemetry;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The end of a request")
class RequestSignalsTest {
  private static final UUID REQUEST = UUID.fromString("0b6f0a3c-6a58-4a36-9a1c-0f3c1c4f6d10");
  private static final UUID TURN = UUID.fromString("0b6f0a3c-6a58-4a36-9a1c-0f3c1c4f6d11");
  private static final UUID THREAD = UUID.fromString("0b6f0a3c-6a58-4a36-9a1c-0f3c1c4f6d12");

  private final Telemetry telemetry = new Telemetry(Set.of("openai"));
  private final RequestSignals signals = new RequestSignals(telemetry);

  private static AnswerEvent.Ended end(
      TurnState state, String provider, String model, GatewayError.@Nullable Code code) {
    return new AnswerEvent.Ended(
        state,
        FinishReason.STOP,
        provider,
        model,
        "asked",
        new Usage(100, 20, 3, 40, 5, false),
        77,
        false,
        null,
        code == null ? null : new AnswerEvent.Failure(code, "a sentence"));
  }

  private static RequestSummary answer(String profile, AnswerEvent.Ended end) {
    return new RequestSummary(
        RequestSummary.Kind.ANSWER,
        REQUEST,
        TURN,
        THREAD,
        profile,
        Route.PEOPLE,
        4,
        2,
        3,
        true,
        900,
        Duration.ofMillis(8),
        Duration.ofMillis(640),
        Duration.ofMillis(1_900),
        end);
  }

  private static RequestSummary chat(
      int calls, boolean fallback, @Nullable Duration output, AnswerEvent.Ended end) {
    return new RequestSummary(
        RequestSummary.Kind.CHAT,
        REQUEST,
        null,
        null,
        "gpt",
        null,
        0,
        0,
        calls,
        fallback,
        0,
        null,
        output,
        Duration.ofMillis(9),
        end);
  }

  @Test
  @DisplayName("is one line with ids, names, tokens, money and times")
  void line() {
    telemetry.requests().profiles(Set.of("grounded"));
    telemetry.models().names(Set.of("openai:m-1"));
    try (LogWatch logs = LogWatch.open()) {
      signals.ended(answer("grounded", end(TurnState.COMPLETED, "openai", "m-1", null)));
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("request ended"))
          .containsExactly("request ended request=" + REQUEST + " kind=answer turn=" + TURN
              + " thread=" + THREAD + " profile=grounded state=completed code=none"
              + " result=fallback provider=openai model=m-1 calls=3 route=people windows=4"
              + " sources=2 input_tokens=100 cache_read_tokens=20 cache_write_tokens=3"
              + " output_tokens=40 tokens_estimated=false cache=hit estimated_micro_usd=900"
              + " micro_usd=77 first_status_ms=8 first_output_ms=640 total_ms=1900");
    }
    assertThat(telemetry.scrape())
        .contains("ask_requests_total{kind=\"answer\",result=\"fallback\"} 1.0")
        .contains("ask_profile_requests_total{profile=\"grounded\",result=\"fallback\"} 1.0")
        .contains("ask_estimated_micro_usd_total{kind=\"answer\"} 900.0")
        .contains("ask_settled_micro_usd_total{kind=\"answer\"} 77.0");
  }

  @Test
  @DisplayName("shows no name that is not configured")
  void otherNames() {
    telemetry.models().names(Set.of("openai:m-1"));
    try (LogWatch logs = LogWatch.open()) {
      signals.ended(answer("own/qzsecret", end(TurnState.COMPLETED, "qzsecret", "m-1", null)));
      signals.ended(answer("qzsecret", end(TurnState.COMPLETED, "openai", "qzsecret", null)));
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("request ended"))
          .hasSize(2)
          .allMatch(line -> line.contains("profile=other") && line.contains("model=other"))
          .noneMatch(line -> line.contains("qzsecret"));
    }
  }

  @Test
  @DisplayName("tells who answered, or whether anything was shown before it failed")
  void results() {
    Duration shown = Duration.ofMillis(3);
    AnswerEvent.Ended done = end(TurnState.COMPLETED, "openai", "m-1", null);
    AnswerEvent.Ended failed =
        end(TurnState.FAILED, "openai", "m-1", GatewayError.Code.PROVIDER_TRUNCATED);
    assertThat(chat(0, false, shown, done).result()).isEqualTo(RequestSummary.Result.NO_CALL);
    assertThat(chat(2, false, shown, done).result()).isEqualTo(RequestSummary.Result.FIRST_MODEL);
    assertThat(chat(2, true, shown, done).result()).isEqualTo(RequestSummary.Result.FALLBACK);
    assertThat(chat(2, true, null, failed).result()).isEqualTo(RequestSummary.Result.FAILED);
    assertThat(chat(2, true, shown, failed).result()).isEqualTo(RequestSummary.Result.BROKEN);
    assertThat(chat(1, false, shown, end(TurnState.CANCELLED, "openai", "m-1", null))
            .result())
        .isEqualTo(RequestSummary.Result.CANCELLED);
  }

  @Test
  @DisplayName("of a request without a model names none, and leaves out what there was not")
  void noCall() {
    try (LogWatch logs = LogWatch.open()) {
      signals.ended(
          chat(0, false, null, end(TurnState.FAILED, "none", "none", GatewayError.Code.INTERNAL)));
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("request ended"))
          .singleElement()
          .asString()
          .contains("code=internal result=failed provider=none model=none calls=0")
          .doesNotContain("turn=", "route=", "first_output_ms", "first_status_ms");
    }
  }
}
