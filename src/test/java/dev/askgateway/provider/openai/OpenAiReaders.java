package dev.askgateway.provider.openai;

import dev.askgateway.provider.sse.SseDialect;

/** Lets tests in other rooms read as this dialect does. */
public final class OpenAiReaders {
  private OpenAiReaders() {}

  public static SseDialect neutral() {
    return OpenAiDialect.neutral(() -> {});
  }

  /** Passing the chunks of one choice on as they are. */
  public static SseDialect verbatim() {
    return OpenAiDialect.verbatim(1, () -> {});
  }
}
