package dev.askgateway;

import dev.askgateway.answer.RequestSummary;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.telemetry.RequestMeters;
import dev.askgateway.telemetry.Telemetry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The end of a request: counted, and one line of the log. The names in it are those of the
 * configuration; what only the request knows, a person's own model among it, is {@code other}.
 */
record RequestSignals(Telemetry telemetry) {
  private static final Logger LOG = LoggerFactory.getLogger(RequestSignals.class);
  private static final String NONE = "none";

  void ended(RequestSummary summary) {
    RequestMeters.Kind kind =
        switch (summary.kind()) {
          case ANSWER -> RequestMeters.Kind.ANSWER;
          case CHAT -> RequestMeters.Kind.CHAT;
          case EMBEDDING -> RequestMeters.Kind.EMBEDDING;
        };
    telemetry
        .requests()
        .ended(
            kind,
            summary.profile(),
            result(summary.result()),
            summary.estimatedMicroUsd(),
            summary.end().costMicroUsd());
    if (LOG.isInfoEnabled()) {
      write(summary);
    }
  }

  private static RequestMeters.Result result(RequestSummary.Result result) {
    return switch (result) {
      case FIRST_MODEL -> RequestMeters.Result.FIRST_MODEL;
      case FALLBACK -> RequestMeters.Result.FALLBACK;
      case NO_CALL -> RequestMeters.Result.NO_CALL;
      case FAILED -> RequestMeters.Result.FAILED;
      case BROKEN -> RequestMeters.Result.BROKEN;
      case CANCELLED -> RequestMeters.Result.CANCELLED;
    };
  }

  private void write(RequestSummary summary) {
    Map<String, Object> fields = new LinkedHashMap<>();
    request(summary, fields);
    models(summary, fields);
    evidence(summary, fields);
    money(summary, fields);
    put(fields, "first_status_ms", millis(summary.firstStatus()));
    put(fields, "first_output_ms", millis(summary.firstOutput()));
    fields.put("total_ms", summary.total().toMillis());
    LoggingEventBuilder line = LOG.atInfo();
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    line.log("request ended");
  }

  private void request(RequestSummary summary, Map<String, Object> fields) {
    AnswerEvent.Ended end = summary.end();
    put(fields, "request", summary.requestId());
    fields.put("kind", lower(summary.kind()));
    put(fields, "turn", summary.turnId());
    put(fields, "thread", summary.threadId());
    fields.put("profile", telemetry.requests().shown(summary.profile()));
    fields.put("state", end.state().wire());
    fields.put("code", end.error() == null ? NONE : end.error().code().wire());
    fields.put("result", lower(summary.result()));
  }

  private void models(RequestSummary summary, Map<String, Object> fields) {
    AnswerEvent.Ended end = summary.end();
    boolean called = summary.calls() > 0;
    fields.put("provider", called ? telemetry.models().shown(end.provider()) : NONE);
    fields.put("model", called ? telemetry.models().shown(end.provider(), end.model()) : NONE);
    fields.put("calls", summary.calls());
  }

  private static void evidence(RequestSummary summary, Map<String, Object> fields) {
    if (summary.route() != null) {
      fields.put("route", summary.route().wire());
      fields.put("windows", summary.windows());
      fields.put("sources", summary.sources());
    }
  }

  private static void money(RequestSummary summary, Map<String, Object> fields) {
    Usage usage = summary.end().usage();
    fields.put("input_tokens", usage.inputTokens());
    fields.put("cache_read_tokens", usage.cacheReadTokens());
    fields.put("cache_write_tokens", usage.cacheWriteTokens());
    fields.put("output_tokens", usage.outputTokens());
    fields.put("tokens_estimated", usage.estimated());
    fields.put("cache", usage.cacheReadTokens() > 0 ? "hit" : summary.calls() > 0 ? "miss" : NONE);
    fields.put("estimated_micro_usd", summary.estimatedMicroUsd());
    fields.put("micro_usd", summary.end().costMicroUsd());
  }

  private static @Nullable Long millis(@Nullable Duration time) {
    return time == null ? null : time.toMillis();
  }

  private static void put(Map<String, Object> fields, String key, @Nullable Object value) {
    if (value != null) {
      fields.put(key, value instanceof Number ? value : value.toString());
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
