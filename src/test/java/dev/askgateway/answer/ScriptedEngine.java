package dev.askgateway.answer;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Routing;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine whose model is the test itself: each call waits to be told what to say. */
final class ScriptedEngine implements Engine {
  /** What each question's vector uses, of a model whose ten tokens cost a micro-USD. */
  List<EmbeddingUse> embeddings = List.of();

  static final String PRICE_BOOK = "test-book";

  final AtomicInteger calls = new AtomicInteger();
  final BlockingQueue<Call> waiting = new LinkedBlockingQueue<>();
  volatile EvidencePack pack =
      new EvidencePack(List.of(SampleEvents.window("S1"), SampleEvents.window("S2")), List.of());
  volatile long worstCase = 1_000;

  /** Whether calls wait for {@link Call#commit} before they count as begun. */
  volatile boolean holdsBack;

  /** One model call, driven from the test's thread. */
  static final class Call implements TokenStream {
    private final io.vertx.core.Context context;
    private Handler<TokenEvent> events;
    private Handler<Void> end;
    private Handler<Throwable> failure;
    private final Listener listener;
    private final Promise<Won> won = Promise.promise();
    volatile boolean cancelled;
    volatile int paused;
    final java.util.concurrent.CountDownLatch drained = new java.util.concurrent.CountDownLatch(1);

    Call(io.vertx.core.Context context, Listener listener) {
      this.context = context;
      this.listener = listener;
    }

    /** The first text is there. */
    Call commit() {
      context.runOnContext(on -> won.tryComplete(new Won(this, "scripted", "model")));
      return this;
    }

    /** Gives no text, and no other model is left. */
    void refuse(GatewayError error, Usage spent) {
      context.runOnContext(on -> {
        listener.attemptFailed("scripted", "model", error.code(), spent);
        won.tryFail(error);
      });
    }

    /** Gives no text, and another model is asked. */
    Call replaced(GatewayError.Code code, Usage spent) {
      context.runOnContext(on -> {
        listener.attemptFailed("scripted", "model", code, spent);
        listener.attempt("second", "model-2");
      });
      return this;
    }

    Call say(String... deltas) {
      for (String delta : deltas) {
        context.runOnContext(on -> events.handle(new TokenEvent.Text(delta)));
      }
      return this;
    }

    Call meter(Usage usage) {
      context.runOnContext(on -> events.handle(new TokenEvent.Metered(usage)));
      return this;
    }

    void finish() {
      context.runOnContext(on -> {
        events.handle(new TokenEvent.Finished(dev.askgateway.core.FinishReason.STOP));
        end.handle(null);
      });
    }

    void fail(GatewayError error) {
      context.runOnContext(on -> failure.handle(error));
    }

    /** As the gate does it: on the spot, and whoever waits for the winner is told at once. */
    @Override
    public void cancel() {
      cancelled = true;
      if (!won.future().isComplete()) {
        listener.attemptFailed(
            "scripted", "model", GatewayError.Code.CANCELLED, new Usage(100, 0, 0, 0, 0, true));
        won.tryFail(new GatewayError(GatewayError.Code.CANCELLED, "stopped"));
      }
    }

    @Override
    public TokenStream exceptionHandler(Handler<Throwable> handler) {
      failure = handler;
      return this;
    }

    @Override
    public TokenStream handler(Handler<TokenEvent> handler) {
      events = handler;
      return this;
    }

    @Override
    public TokenStream pause() {
      paused++;
      return this;
    }

    @Override
    public TokenStream resume() {
      drained.countDown();
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

  /** The next model call, once its stream is being drained. */
  /** The next call, whether anybody drains it yet or not. */
  Call asked() throws InterruptedException {
    Call call = waiting.poll(20, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("no model call came");
    }
    return call;
  }

  Call next() throws InterruptedException {
    Call call = waiting.poll(20, TimeUnit.SECONDS);
    if (call == null || !call.drained.await(20, TimeUnit.SECONDS)) {
      throw new AssertionError("no model call came");
    }
    return call;
  }

  @Override
  public Future<Route> route(UserId user, String profile, String question) {
    return Future.succeededFuture(new Route() {
      @Override
      public String priceBook() {
        return PRICE_BOOK;
      }

      @Override
      public long costMicroUsd(String provider, String model, Usage usage) {
        return cost(usage);
      }

      @Override
      public long worstCaseMicroUsd() {
        return worstCase;
      }

      @Override
      public Future<Planning> plan(Instant at, ZoneId zone, Listener listener) {
        return Future.succeededFuture(Planning.of(new Resolved(QueryPlan.plain(), null)));
      }

      @Override
      public Future<Evidence> retrieve(
          QueryPlan plan, ZonedDateTime at, Scope scope, Span span, Listener listener) {
        embeddings.forEach(listener::embedded);
        return Future.succeededFuture(
            new Evidence(new Routing(plan, dev.askgateway.core.Route.RECALL, List.of()), pack));
      }

      @Override
      public long embeddingMicroUsd(EmbeddingUse use) {
        return use.usage().inputTokens() / 10;
      }

      @Override
      public Future<Prompt> prompt(
          QueryPlan plan, Instant at, ZoneId zone, List<RecentTurn> recent, EvidencePack found) {
        return Future.succeededFuture(new Prompt(
            "test-1",
            List.of(new Prompt.Message(Prompt.Role.USER, "x".repeat(400))),
            question,
            zone,
            found.windows(),
            700,
            0));
      }

      @Override
      public Generation generate(Prompt prompt, Listener listener) {
        return start(listener);
      }
    });
  }

  private Generation start(Listener listener) {
    calls.incrementAndGet();
    listener.attempt("scripted", "model");
    Call call = new Call(Vertx.currentContext(), listener);
    if (!holdsBack) {
      call.won.complete(new Won(call, "scripted", "model"));
    }
    waiting.add(call);
    return new Generation() {
      @Override
      public Future<Won> won() {
        return call.won.future();
      }

      @Override
      public void cancel() {
        call.cancel();
      }
    };
  }

  @Override
  public Bill.Prices prices(String priceBook) {
    if (!priceBook.equals(PRICE_BOOK)) {
      throw new AssertionError("priced by " + priceBook);
    }
    return (provider, model, usage) -> cost(usage);
  }

  private static long cost(Usage usage) {
    return usage.inputTokens() + 2 * usage.outputTokens();
  }
}
