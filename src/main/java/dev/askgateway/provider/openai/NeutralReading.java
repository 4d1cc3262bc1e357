package dev.askgateway.provider.openai;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.sse.SseEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the first choice as text, reasoning and tool calls. */
final class NeutralReading implements Reading {
  private final ToolCalls calls = new ToolCalls();
  private boolean refused;

  @Override
  public @Nullable StreamedChunk parse(SseEvent event) {
    return StreamedChunk.of(event, true);
  }

  @Override
  public void tell(StreamedChunk chunk, SseEvent event, Consumer<TokenEvent> out) {
    for (StreamedChoice choice : chunk.choices()) {
      refused |= choice.refuses();
      choice.tell(out);
      calls.take(choice.calls(), out);
    }
  }

  @Override
  public FinishReason end(String reason) {
    FinishReason end = Stops.reason(reason, refused);
    if (end == FinishReason.TOOL_CALLS && calls.anyNameless()) {
      throw ProviderFailure.error(Kind.PROTOCOL, "a tool call without a name");
    }
    boolean called = end == FinishReason.STOP && calls.any(); // said so by Google's endpoint
    return called ? FinishReason.TOOL_CALLS : end;
  }
}
