package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A provider in this process that does something else at each call; its last step is repeated. */
final class SteppedProvider implements ModelProvider {
  private final String name;
  private final List<Consumer<Call>> steps;
  private final List<Call> calls = new ArrayList<>();

  @SafeVarargs
  @SuppressWarnings("varargs")
  SteppedProvider(String name, Consumer<Call>... steps) {
    this.name = name;
    this.steps = List.of(steps);
  }

  /** One call: opens or fails as its step wants. */
  static final class Call implements TokenPump.Source {
    private final TokenPump pump = new TokenPump(this);
    private final Promise<TokenStream> opened = Promise.promise();
    private final long atNanos = System.nanoTime();
    private boolean cancelled;

    void refuse(GatewayError error) {
      opened.tryFail(error);
    }

    void refuse(Kind kind) {
      refuse(ProviderFailure.error(kind, "test"));
    }

    void say(TokenEvent... events) {
      opened.tryComplete(pump);
      for (TokenEvent event : events) {
        pump.offer(event);
      }
    }

    void end() {
      opened.tryComplete(pump);
      pump.end();
    }

    void answer(String text) {
      say(new TokenEvent.Text(text));
      end();
    }

    void breakOff(Kind kind) {
      opened.tryComplete(pump);
      pump.fail(ProviderFailure.error(kind, "test"));
    }

    boolean cancelled() {
      return cancelled;
    }

    long atNanos() {
      return atNanos;
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String model() {
    return "stepped";
  }

  @Override
  public Dialect dialect() {
    return Dialect.OPENAI;
  }

  @Override
  public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
    Call call = new Call();
    calls.add(call);
    steps.get(Math.min(calls.size(), steps.size()) - 1).accept(call);
    return call.opened.future();
  }

  List<Call> calls() {
    return calls;
  }
}
