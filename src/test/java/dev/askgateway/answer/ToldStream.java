package dev.askgateway.answer;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import io.vertx.core.Handler;
import java.util.ArrayList;
import java.util.List;

/** A stream that is told what to say, and remembers whether it may. */
final class ToldStream implements TokenStream {
  final List<String> asked = new ArrayList<>();
  Handler<TokenEvent> events = event -> {};
  Handler<Void> end = ended -> {};

  @Override
  public void cancel() {
    asked.add("cancel");
  }

  @Override
  public TokenStream exceptionHandler(Handler<Throwable> handler) {
    return this;
  }

  @Override
  public TokenStream handler(Handler<TokenEvent> handler) {
    events = handler;
    return this;
  }

  @Override
  public TokenStream pause() {
    asked.add("pause");
    return this;
  }

  @Override
  public TokenStream resume() {
    asked.add("resume");
    return this;
  }

  @Override
  public TokenStream fetch(long amount) {
    return this;
  }

  @Override
  public TokenStream endHandler(Handler<Void> handler) {
    end = handler;
    return this;
  }
}
