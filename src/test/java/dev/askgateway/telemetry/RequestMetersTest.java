package dev.askgateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.telemetry.RequestMeters.Kind;
import dev.askgateway.telemetry.RequestMeters.Result;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of requests at their end")
class RequestMetersTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  @DisplayName("count by kind, result and configured profile, and add up what was held and charged")
  void counted() {
    RequestMeters meters = new RequestMeters(registry);
    meters.profiles(Set.of("chat"));
    meters.ended(Kind.CHAT, "chat", Result.FALLBACK, 900, 40);
    meters.ended(Kind.CHAT, "own/1/gpt", Result.FIRST_MODEL, 100, 2);
    meters.ended(Kind.ANSWER, "assistant_grounded", Result.NO_CALL, 500, 0);
    assertThat(registry.scrape())
        .contains("ask_requests_total{kind=\"chat\",result=\"fallback\"} 1.0")
        .contains("ask_requests_total{kind=\"answer\",result=\"no_call\"} 1.0")
        .contains("ask_requests_total{kind=\"embedding\",result=\"failed\"} 0.0")
        .contains("ask_profile_requests_total{profile=\"chat\",result=\"fallback\"} 1.0")
        .contains("ask_profile_requests_total{profile=\"other\",result=\"no_call\"} 1.0")
        .contains("ask_profile_requests_total{profile=\"other\",result=\"first_model\"} 1.0")
        .contains("ask_estimated_micro_usd_total{kind=\"chat\"} 1000.0")
        .contains("ask_settled_micro_usd_total{kind=\"chat\"} 42.0");
    assertThat(meters.shown("chat")).isEqualTo("chat");
    assertThat(meters.shown("own/1/gpt")).isEqualTo("other");
  }

  @Test
  @DisplayName("make no series of 10,000 names of profiles")
  void bounded() {
    RequestMeters meters = new RequestMeters(registry);
    meters.profiles(Set.of("chat"));
    long before = registry.scrape().lines().count();
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      meters.ended(
          Kind.values()[random.nextInt(3)],
          "made-up-" + random.nextInt(),
          Result.values()[random.nextInt(6)],
          i,
          i);
    }
    assertThat(registry.scrape().lines().count()).isEqualTo(before);
  }

  @Test
  @DisplayName("tell for how long the index has been behind, and 0 once it was not")
  void indexAge() {
    AtomicLong nanos = new AtomicLong();
    IndexMeters index = new IndexMeters(registry, nanos::get);
    assertThat(registry.scrape()).contains("ask_index_backlog_age_seconds 0.0");
    index.backlog(3);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    index.backlog(2);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
    assertThat(registry.scrape())
        .contains("ask_index_backlog_age_seconds 60.0")
        .contains("ask_index_queue 2.0");
    index.backlog(0);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    assertThat(registry.scrape()).contains("ask_index_backlog_age_seconds 0.0");
    index.backlog(1);
    assertThat(registry.scrape()).contains("ask_index_backlog_age_seconds 0.0");
  }
}
