package dev.askgateway.provider.gemini;

import dev.askgateway.provider.sse.SseDialect;

/** Lets tests in other rooms read as this dialect does. */
public final class GeminiReaders {
  private GeminiReaders() {}

  public static SseDialect neutral() {
    return new GeminiDialect();
  }
}
