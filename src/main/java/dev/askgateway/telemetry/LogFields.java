package dev.askgateway.telemetry;

import java.util.UUID;
import net.logstash.logback.argument.StructuredArguments;
import org.jspecify.annotations.Nullable;

/** Arguments of a log line that are a field of their own where the log is JSON. */
public final class LogFields {
  private LogFields() {}

  /** The id that all lines of a request share; in the message it is the id alone. */
  public static Object request(@Nullable UUID id) {
    return StructuredArguments.value("request", id == null ? "none" : id.toString());
  }
}
