package dev.askgateway.provider.openai;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.sse.SseEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is told of the chunks of one completion, usage and end apart. */
interface Reading {

  /** The chunk in an event with the choices that count for this reading, or null for none. */
  @Nullable
  StreamedChunk parse(SseEvent event);

  /**
   * Tells what a chunk says.
   *
   * @param event where it was read from
   */
  void tell(StreamedChunk chunk, SseEvent event, Consumer<TokenEvent> out);

  /**
   * The reason for the end in our words.
   *
   * @param reason upstream's, "" for none
   */
  FinishReason end(String reason);
}
