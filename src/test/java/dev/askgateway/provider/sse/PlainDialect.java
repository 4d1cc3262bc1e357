package dev.askgateway.provider.sse;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Each event is text, but for "stop", after which an end may follow, and "done", the end marker. */
final class PlainDialect implements SseDialect {
  private final boolean wrong;
  private boolean stopped;
  private boolean done;

  /** @param wrong whether every answer is found wrong at its end */
  PlainDialect(boolean wrong) {
    this.wrong = wrong;
  }

  @Override
  public void event(SseEvent event, Consumer<TokenEvent> out) {
    switch (event.data()) {
      case "stop" -> stopped = true;
      case "done" -> done = true;
      default -> out.accept(new TokenEvent.Text(event.data()));
    }
  }

  @Override
  public void stray(String line, Consumer<TokenEvent> out) {}

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public boolean finishing() {
    return stopped;
  }

  @Override
  public void end(@Nullable SseEvent pending, Consumer<TokenEvent> out) {
    if (wrong) {
      throw failure();
    }
    out.accept(new TokenEvent.Finished(FinishReason.STOP));
  }

  private static GatewayError failure() {
    return ProviderFailure.error(Kind.PROTOCOL, "a wrong answer");
  }
}
