package dev.askgateway.provider.gate;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.TokenPump;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** A provider in this process whose stream says what the test feeds it. */
final class FakeProvider implements ModelProvider, TokenPump.Source {
  private final String name;
  private final Consumer<TokenPump> script;
  private final TokenPump pump = new TokenPump(this);
  private Future<TokenStream> opened = Future.succeededFuture(pump);
  private int opens;
  private boolean cancelled;
  private boolean held;

  private FakeProvider(String name, Consumer<TokenPump> script) {
    this.name = name;
    this.script = script;
  }

  /** Opens at once and then says what the script feeds the pump, later events included. */
  static FakeProvider saying(String name, Consumer<TokenPump> script) {
    return new FakeProvider(name, script);
  }

  /** Opens with this outcome; a succeeded one has the provider's own pump. */
  static FakeProvider opening(String name, Future<Void> outcome) {
    FakeProvider provider = new FakeProvider(name, pump -> {});
    provider.opened = outcome.map(provider.pump);
    return provider;
  }

  static void text(TokenPump pump, String... pieces) {
    for (String piece : pieces) {
      pump.offer(new TokenEvent.Text(piece));
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String model() {
    return "fake";
  }

  @Override
  public Dialect dialect() {
    return Dialect.OPENAI;
  }

  @Override
  public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
    opens++;
    script.accept(pump);
    return opened;
  }

  TokenPump pump() {
    return pump;
  }

  int opens() {
    return opens;
  }

  boolean cancelled() {
    return cancelled;
  }

  boolean held() {
    return held;
  }

  @Override
  public void pause() {
    held = true;
  }

  @Override
  public void resume() {
    held = false;
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
