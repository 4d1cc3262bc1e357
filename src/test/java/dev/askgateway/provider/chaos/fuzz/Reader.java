package dev.askgateway.provider.chaos.fuzz;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.openai.OpenAiReaders;
import dev.askgateway.provider.sse.SseDialect;
import java.util.function.Supplier;

/** What reads the streams: one reader of each dialect and mode. */
enum Reader {
  OPENAI(Dialect.OPENAI, OpenAiReaders::neutral);

  private final Dialect dialect;
  private final Supplier<SseDialect> fresh;

  Reader(Dialect dialect, Supplier<SseDialect> fresh) {
    this.dialect = dialect;
    this.fresh = fresh;
  }

  Dialect dialect() {
    return dialect;
  }

  SseDialect fresh() {
    return fresh.get();
  }
}
