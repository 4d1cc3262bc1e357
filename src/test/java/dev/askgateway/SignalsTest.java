package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.telemetry.Telemetry;
import java.util.List;
import java.util.Set;
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

  @Test
  @DisplayName("of indexing and of streams is counted")
  void indexingAndStreams() {
    signals.indexing().indexed(64);
    signals.indexing().failed("provider_failed", true);
    signals.indexing().backlog(7);
    signals.relay().opened();
    signals.relay().opened();
    signals.relay().closed();
    signals.relay().givenUp();
    assertThat(telemetry.scrape())
        .contains("ask_index_texts_total 64.0")
        .contains("ask_index_failures_total 1.0")
        .contains("ask_index_queue 7.0")
        .contains("ask_sse_connections 1.0")
        .contains("ask_sse_write_deadline_total 1.0");
  }
}
