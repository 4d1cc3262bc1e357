package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.OperatingCosts;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.e2e.LogWatch;
import dev.askgateway.indexing.IndexingEvents;
import dev.askgateway.intake.admission.Reason;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.AttemptListener.Attempt;
import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the rooms report")
class SignalsTest {
  private final Telemetry telemetry = new Telemetry(Set.of());
  private final Signals signals = new Signals(telemetry);

  @Test
  @DisplayName("of imports is counted by what became of each line")
  void imports() {
    signals
        .ingest()
        .written(List.of(
            Outcome.NEW,
            Outcome.NEW,
            Outcome.CHANGED,
            Outcome.UNCHANGED,
            Outcome.UNCHANGED,
            Outcome.UNCHANGED,
            Outcome.DELETED));
    signals.ingest().rejected(5);
    assertThat(telemetry.scrape())
        .contains("ask_ingest_lines_total{outcome=\"new\"} 2.0")
        .contains("ask_ingest_lines_total{outcome=\"changed\"} 1.0")
        .contains("ask_ingest_lines_total{outcome=\"unchanged\"} 3.0")
        .contains("ask_ingest_lines_total{outcome=\"deleted\"} 1.0")
        .contains("ask_ingest_lines_total{outcome=\"rejected\"} 5.0");
  }

  private record Model(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("nobody is asked here");
    }
  }

  @Test
  @DisplayName("of calls of models is counted: repeats apart from hedges, and hedges by who won")
  void attempts() {
    Telemetry named = new Telemetry(Set.of("main", "spare"));
    Model main = new Model("main", "m");
    Model spare = new Model("spare", "s");
    for (AttemptListener heard : List.of(
        new Signals(named).answers().attempts(UUID.randomUUID()),
        new Signals(named).completions().attempts(UUID.randomUUID()))) {
      GatewayError broken = ProviderFailure.error(Kind.UNAVAILABLE, "status 500");
      Attempt first = new Attempt(1, false, main);
      Attempt repeat = new Attempt(2, false, main);
      Attempt hedge = new Attempt(3, true, spare);
      heard.started(first);
      heard.failed(first, broken, Usage.NONE, 5);
      heard.started(repeat);
      heard.started(hedge);
      heard.failed(hedge, new GatewayError(Code.CANCELLED, "overtaken"), Usage.NONE, 5);
      heard.firstOutput(repeat, 1_000_000);
      heard.ended(repeat, null, Usage.NONE, 9);
    }
    assertThat(named.scrape())
        .contains("ask_provider_retries_total{provider=\"main\"} 2.0")
        .contains("ask_provider_retries_total{provider=\"spare\"} 0.0")
        .contains("ask_provider_hedges_total{provider=\"spare\",result=\"lost\"} 2.0")
        .contains("ask_provider_hedges_total{provider=\"spare\",result=\"won\"} 0.0")
        .contains("ask_provider_first_output_seconds_count{provider=\"main\"} 2");
  }

  @Test
  @DisplayName("of failed calls is logged with its cause, those stopped by us only when debugging")
  void failures() {
    try (LogWatch logs = LogWatch.open()) {
      UUID request = UUID.randomUUID();
      AttemptListener heard = signals.answers().attempts(request);
      Attempt attempt = new Attempt(2, false, new Model("main", "m-1"));
      heard.ended(attempt, null, Usage.NONE, 1);
      heard.ended(attempt, ProviderFailure.error(Kind.TIMEOUT, "stall"), Usage.NONE, 7_000_000);
      heard.failed(attempt, new GatewayError(Code.CANCELLED, "stopped"), Usage.NONE, 8_000_000);
      assertThat(logs.lines())
          .filteredOn(line -> line.contains(request.toString()))
          .containsExactly(
              "model call failed: request " + request
                  + " attempt 2 provider main model m-1 after 7 ms: TIMEOUT: stall",
              "model call stopped: request " + request
                  + " attempt 2 provider main model m-1 after 8 ms");
    }
  }

  @Test
  @DisplayName("of who was turned away is counted by why, and how late event loops were")
  void admission() {
    for (Reason reason : Reason.values()) {
      signals.admission().shed(reason);
    }
    signals.admission().shed(Reason.LAG);
    signals.admission().lagged(30_000_000);
    assertThat(telemetry.scrape())
        .contains("ask_admission_shed_total{reason=\"open\"} 1.0")
        .contains("ask_admission_shed_total{reason=\"limit\"} 1.0")
        .contains("ask_admission_shed_total{reason=\"lag\"} 2.0")
        .contains("ask_admission_shed_total{reason=\"draining\"} 1.0")
        .contains("ask_event_loop_lag_seconds_bucket{le=\"0.025\"} 0")
        .contains("ask_event_loop_lag_seconds_bucket{le=\"0.05\"} 1");
  }

  @Test
  @DisplayName("of indexing and of streams is counted")
  void indexingAndStreams() {
    IndexingEvents indexing = signals.indexing(free());
    indexing.indexed(64);
    indexing.failed("provider_failed", true);
    indexing.backlog(7);
    indexing.embedded(new UserId("ana"), use(30));
    signals.relay().opened();
    signals.relay().opened();
    signals.relay().closed();
    signals.relay().givenUp();
    assertThat(telemetry.scrape())
        .contains("ask_index_texts_total 64.0")
        .contains("ask_index_failures_total 1.0")
        .contains("ask_index_queue 7.0")
        .contains("ask_embedding_tokens_total{provider=\"other\",purpose=\"messages\"} 30.0")
        .contains("ask_embedding_cost_micro_usd_total{provider=\"other\",purpose=\"messages\"} 0.0")
        .contains("ask_sse_connections 1.0")
        .contains("ask_sse_write_deadline_total 1.0");
  }

  /** Where nothing costs anything, nothing is written down: there is nowhere to. */
  private static OperatingCosts free() {
    PriceBook none = new PriceBook("none", LocalDate.of(2026, 1, 1), Map.of());
    return new OperatingCosts(PriceBooks.of(none), null);
  }

  private static EmbeddingUse use(long tokens) {
    Usage usage = new Usage(tokens, 0, 0, 0, 0, false);
    return new EmbeddingUse("vectors", "main", "v", usage, Duration.ofMillis(5));
  }

  @Test
  @DisplayName("of a question's vector is counted apart from that of messages")
  void questionVectors() {
    signals.answers().embedded(use(12), 3);
    assertThat(telemetry.scrape())
        .contains("ask_embedding_tokens_total{provider=\"other\",purpose=\"question\"} 12.0")
        .contains(
            "ask_embedding_cost_micro_usd_total{provider=\"other\",purpose=\"question\"} 3.0");
  }
}
