package dev.askgateway.provider.chaos.fuzz;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.anthropic.AnthropicReaders;
import dev.askgateway.provider.gemini.GeminiReaders;
import dev.askgateway.provider.openai.OpenAiReaders;
import dev.askgateway.provider.sse.SseDialect;
import java.util.function.Supplier;

/** What reads the streams: one reader of each dialect and mode. */
enum Reader {
  OPENAI(Dialect.OPENAI, true, OpenAiReaders::neutral),
  /** Its text is in the chunks that are passed on. */
  OPENAI_VERBATIM(Dialect.OPENAI, true, OpenAiReaders::verbatim),
  ANTHROPIC(Dialect.ANTHROPIC, true, AnthropicReaders::neutral),
  /** The tool of the corpus is the answer. */
  ANTHROPIC_STRUCTURED(Dialect.ANTHROPIC, false, () -> AnthropicReaders.structured("find")),
  GEMINI(Dialect.GEMINI, true, GeminiReaders::neutral);

  private final Dialect dialect;
  private final boolean plain;
  private final Supplier<SseDialect> fresh;

  Reader(Dialect dialect, boolean plain, Supplier<SseDialect> fresh) {
    this.dialect = dialect;
    this.plain = plain;
    this.fresh = fresh;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Whether it tells text as text and nothing else as text. */
  boolean plain() {
    return plain;
  }

  SseDialect fresh() {
    return fresh.get();
  }
}
