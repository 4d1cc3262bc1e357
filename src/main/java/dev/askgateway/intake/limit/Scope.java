package dev.askgateway.intake.limit;

import io.vertx.core.http.HttpMethod;
import java.util.Locale;

/** Which bucket a request is counted in. */
public enum Scope {
  /** Costs the work of models. */
  ASK,
  OTHER,
  /** Nobody is signed in. */
  ADDRESS;

  private static final String EMBEDDINGS = "/v1/embeddings";

  /** The bucket of a person's request. The path is normal: decoded once, without dots. */
  static Scope of(HttpMethod method, String path) {
    return method.equals(HttpMethod.POST) && asks(bare(path)) ? ASK : OTHER;
  }

  /** Whether a request of {@link #ASK} has an answer that runs for a while. */
  static boolean runs(String path) {
    return !bare(path).equals(EMBEDDINGS);
  }

  private static boolean asks(String path) {
    return path.equals("/v1/chat/completions")
        || path.equals(EMBEDDINGS)
        || path.equals("/ai/search")
        || (path.startsWith("/ai/assistant/") && path.endsWith("/messages"));
  }

  /** Routes match with slashes at the end too. */
  private static String bare(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  String bucket() {
    return name().toLowerCase(Locale.ROOT);
  }
}
