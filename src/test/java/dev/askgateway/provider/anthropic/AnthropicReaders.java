package dev.askgateway.provider.anthropic;

import dev.askgateway.provider.sse.SseDialect;

/** Lets tests in other rooms read as this dialect does. */
public final class AnthropicReaders {
  private AnthropicReaders() {}

  public static SseDialect neutral() {
    return new AnthropicDialect("");
  }

  /** With the answer in the arguments of this tool, as structured output is asked for. */
  public static SseDialect structured(String tool) {
    return new AnthropicDialect(tool);
  }
}
