package dev.askgateway.provider.openai;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.sse.SseEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes the bytes of each chunk on, and only counts what is in them, in all choices. */
final class VerbatimReading implements Reading {
  private boolean refused;

  @Override
  public @Nullable StreamedChunk parse(SseEvent event) {
    return StreamedChunk.of(event, false);
  }

  @Override
  public void tell(StreamedChunk chunk, SseEvent event, Consumer<TokenEvent> out) {
    int textChars = 0;
    int otherChars = 0;
    for (StreamedChoice choice : chunk.choices()) {
      refused |= choice.refuses();
      textChars += choice.textChars();
      otherChars += choice.otherChars();
    }
    out.accept(new TokenEvent.Chunk(event.json(), textChars, otherChars, chunk.isUsageOnly()));
  }

  @Override
  public FinishReason end(String reason) {
    return Stops.reason(reason, refused);
  }
}
