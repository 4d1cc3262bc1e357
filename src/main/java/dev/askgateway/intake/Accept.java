package dev.askgateway.intake;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a client said it can read. No header at all means anything. */
final class Accept {
  static final String JSON = "application/json";
  static final String EVENTS = "text/event-stream";

  /** Ranges with a weight above zero. */
  private final Set<String> ranges;
  /** Ranges refused with a weight of zero. */
  private final Set<String> refused;

  private Accept(Set<String> ranges, Set<String> refused) {
    this.ranges = ranges;
    this.refused = refused;
  }

  static Accept of(HttpServerRequest request) {
    return of(request.headers().getAll(HttpHeaders.ACCEPT));
  }

  static Accept of(List<String> headers) {
    List<String> wanted = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (String range : String.join(",", headers).toLowerCase(Locale.ROOT).split(",", -1)) {
      String type = range.split(";", 2)[0].strip();
      if (!type.isEmpty()) {
        (isZero(range) ? refused : wanted).add(type);
      }
    }
    return new Accept(
        wanted.isEmpty() && refused.isEmpty() ? Set.of("*/*") : Set.copyOf(wanted),
        Set.copyOf(refused));
  }

  private static boolean isZero(String range) {
    return range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
  }

  /** Whether one of the types can be read. */
  boolean allowsAny(Collection<String> types) {
    return types.stream().anyMatch(this::allows);
  }

  boolean allows(String type) {
    String group = type.substring(0, type.indexOf('/')) + "/*";
    if (refused.contains(type)) {
      return false;
    }
    if (ranges.contains(type)) {
      return true;
    }
    return !refused.contains(group)
        && (ranges.contains(group) || (ranges.contains("*/*") && !refused.contains("*/*")));
  }

  /** Whether the type, or its group, is asked for by name. */
  boolean names(String type) {
    return ranges.contains(type) || ranges.contains(type.substring(0, type.indexOf('/')) + "/*");
  }

  /**
   * Whether an answer goes out as events: when they are asked for by name or by {@code stream}, and by
   * default where nothing else is said.
   *
   * @param stream the body's own wish, or null
   * @param byDefault what a client gets that says nothing
   */
  boolean wantsEvents(@org.jspecify.annotations.Nullable Boolean stream, boolean byDefault) {
    if (names(EVENTS) || Boolean.TRUE.equals(stream)) {
      return true;
    }
    if (names(JSON) || stream != null) {
      return false;
    }
    return byDefault;
  }
}
