package dev.askgateway.telemetry;

import ch.qos.logback.core.PropertyDefinerBase;
import ch.qos.logback.core.util.OptionHelper;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which of the two forms of the log {@code LOG_FORMAT} asks for; text, if it asks for neither. */
public final class LogFormat extends PropertyDefinerBase {
  private static final String KEY = "LOG_FORMAT";
  private static final String TEXT = "text";
  private static final String JSON = "json";

  @Override
  public String getPropertyValue() {
    @Nullable String asked = OptionHelper.propertyLookup(KEY, getContext(), null);
    String format = chosen(asked);
    if (asked != null
        && !asked.isBlank()
        && !format.equals(asked.trim().toLowerCase(Locale.ROOT))) {
      addError(KEY + " is neither text nor json: the log is text");
    }
    return format;
  }

  static String chosen(@Nullable String asked) {
    return asked != null && asked.trim().equalsIgnoreCase(JSON) ? JSON : TEXT;
  }
}
