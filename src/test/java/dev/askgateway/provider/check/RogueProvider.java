package dev.askgateway.provider.check;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelRequest;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.function.BiConsumer;

/**
 * An adapter that breaks the contract of streams: it tells its handlers what it likes, whether it was
 * cancelled or aborted or not.
 */
record RogueProvider(BiConsumer<Handler<TokenEvent>, Runnable> script)
    implements AbortableProvider {
  @Override
  public String name() {
    return "rogue";
  }

  @Override
  public String model() {
    return "rogue-1";
  }

  @Override
  public Dialect dialect() {
    return Dialect.OPENAI;
  }

  @Override
  public ModelCall start(ModelRequest request, Deadlines deadlines) {
    return new ModelCall(Future.succeededFuture(new Stream(script)), () -> {});
  }

  private static final class Stream implements TokenStream {
    private final BiConsumer<Handler<TokenEvent>, Runnable> script;
    private Handler<TokenEvent> events;
    private Handler<Void> end;

    private Stream(BiConsumer<Handler<TokenEvent>, Runnable> script) {
      this.script = script;
    }

    @Override
    public TokenStream resume() {
      script.accept(events, () -> end.handle(null));
      return this;
    }

    @Override
    public void cancel() {}

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
}
