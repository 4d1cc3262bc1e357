package dev.askgateway.telemetry.trace;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

/** A span as a collector got it. */
public record Recorded(Span span) {

  public String name() {
    return span.getName();
  }

  public String traceId() {
    return hex(span.getTraceId());
  }

  public String id() {
    return hex(span.getSpanId());
  }

  /** Empty for a root. */
  public String parentId() {
    return hex(span.getParentSpanId());
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  public boolean isError() {
    return span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR;
  }

  public boolean isCall() {
    return span.getKind() == Span.SpanKind.SPAN_KIND_CLIENT;
  }

  /** Texts as they are, numbers as decimal text. */
  public Map<String, String> attributes() {
    return span.getAttributesList().stream()
        .collect(Collectors.toMap(each -> each.getKey(), each -> text(each.getValue())));
  }

  public String attribute(String key) {
    return attributes().getOrDefault(key, "");
  }

  private static String text(AnyValue value) {
    return switch (value.getValueCase()) {
      case INT_VALUE -> String.valueOf(value.getIntValue());
      case BOOL_VALUE -> String.valueOf(value.getBoolValue());
      case STRING_VALUE -> value.getStringValue();
      default -> throw new AssertionError("a value of a kind that nobody sets: " + value);
    };
  }
}
