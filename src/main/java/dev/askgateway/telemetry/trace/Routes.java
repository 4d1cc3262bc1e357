package dev.askgateway.telemetry.trace;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request is for, as a name from a fixed list: paths hold ids, and anything a client writes. */
final class Routes {
  private static final List<String> WHOLE = List.of(
      "/v1/chat/completions",
      "/v1/embeddings",
      "/v1/models",
      "/ai/assistant/messages",
      "/ai/search",
      "/ai/messages");
  private static final Map<String, String> BEGINNINGS = Map.of("/v1/", "/v1/*", "/ai/", "/ai/*");

  private Routes() {}

  /** The name of an address's path; null for one that is not traced, such as a probe's. */
  static @Nullable String of(String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    if (WHOLE.contains(path)) {
      return path;
    }
    return BEGINNINGS.entrySet().stream()
        .filter(each -> path.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }
}
