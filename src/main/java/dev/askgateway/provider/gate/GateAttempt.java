package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One model's attempt. Before the commit it reads ahead by itself and shows nothing; at the commit
 * what it read waits in the pump, and from then on the reader's pace is upstream's.
 */
final class GateAttempt implements TokenPump.Source, TokenEvent.Cases<GateAttempt.State> {
  /** Reasoning kept before the first text, in characters; more of it is dropped. */
  private static final int MOST_REASONING = 256 << 10;

  /** Also what the event cases answer: the state after the event. */
  enum State {
    WAITING,
    COMMITTED,
    OVER
  }

  private final Vertx vertx;
  private final Deadlines deadlines;
  private final ModelRequest request;
  private final ModelProvider provider;
  private final AttemptListener listener;
  private final BiConsumer<GateAttempt, @Nullable GatewayError> settled;
  private final long endNanos;
  private final long startNanos = System.nanoTime();
  private final TokenPump pump = new TokenPump(this);
  private final StringBuilder reasoning = new StringBuilder();
  private State state = State.WAITING;
  private @Nullable ModelCall call;
  private @Nullable TokenStream upstream;
  private @Nullable Usage reported;
  private TokenEvent.@Nullable Finished finish;
  private long timer = -1;
  private long contentNanos;

  GateAttempt(
      Vertx vertx,
      Deadlines deadlines,
      ModelRequest request,
      ModelProvider provider,
      AttemptListener listener,
      BiConsumer<GateAttempt, @Nullable GatewayError> settled,
      long endNanos) {
    this.vertx = vertx;
    this.deadlines = deadlines;
    this.request = request;
    this.provider = provider;
    this.listener = listener;
    this.settled = settled;
    this.endNanos = endNanos;
  }

  ModelProvider provider() {
    return provider;
  }

  TokenStream stream() {
    return pump;
  }

  void start(Duration firstDelta) {
    listener.attemptStarted(provider);
    timer = vertx.setTimer(
        Math.max(1, firstDelta.toMillis()),
        fired -> failed(ProviderFailure.error(Kind.TIMEOUT, "first delta")));
    try {
      call = ModelCall.start(provider, request, deadlines);
      call.opened().onComplete(this::opened, this::failed);
    } catch (RuntimeException broken) {
      failed(broken);
    }
  }

  private void opened(TokenStream stream) {
    if (state == State.OVER) {
      stream.cancel();
      return;
    }
    upstream = stream;
    stream
        .exceptionHandler(this::failed)
        .endHandler(ended -> ended())
        .handler(event -> event.match(this));
    stream.resume();
  }

  @Override
  public State text(TokenEvent.Text event) {
    if (state == State.WAITING) {
      commit();
      pump.offer(event);
      listener.firstDelta(provider, System.nanoTime() - startNanos);
      settled.accept(this, null);
    } else {
      content(event);
    }
    return state;
  }

  @Override
  public State reasoning(TokenEvent.Reasoning event) {
    if (state == State.COMMITTED) {
      content(event);
    } else if (reasoning.length() + event.delta().length() <= MOST_REASONING) {
      reasoning.append(event.delta());
    }
    return state;
  }

  @Override
  public State toolCall(TokenEvent.ToolCall event) {
    return passOn(event);
  }

  @Override
  public State chunk(TokenEvent.Chunk event) {
    return passOn(event);
  }

  @Override
  public State metered(TokenEvent.Metered event) {
    reported = event.usage();
    return passOn(event);
  }

  @Override
  public State finished(TokenEvent.Finished event) {
    finish = event;
    return passOn(event);
  }

  private State passOn(TokenEvent event) {
    if (state == State.COMMITTED) {
      pump.offer(event);
    }
    return state;
  }

  private void content(TokenEvent event) {
    contentNanos = System.nanoTime();
    pump.offer(event);
  }

  private void commit() {
    state = State.COMMITTED;
    vertx.cancelTimer(timer);
    contentNanos = System.nanoTime();
    arm();
    if (upstream != null) {
      upstream.pause(); // until the reader asks
    }
    if (!reasoning.isEmpty()) {
      pump.offer(new TokenEvent.Reasoning(reasoning.toString()));
    }
    if (reported != null) {
      pump.offer(new TokenEvent.Metered(reported));
    }
  }

  private void ended() {
    if (state == State.WAITING) {
      commit(); // an empty but clean answer is an answer
      if (finish != null) {
        pump.offer(finish);
      }
      close();
      pump.end();
      settled.accept(this, null);
    } else if (state == State.COMMITTED) {
      close();
      pump.end();
    }
  }

  private void failed(Throwable cause) {
    GatewayError error = ProviderFailure.transport(cause);
    State before = state;
    if (before == State.OVER) {
      return;
    }
    Usage spent = spent();
    stop();
    if (before == State.COMMITTED) {
      pump.fail(error);
    } else {
      listener.attemptFailed(provider, error, spent);
      settled.accept(this, error);
    }
  }

  /** Stops the attempt, or the stream it became. */
  @Override
  public void cancel() {
    State before = state;
    if (before == State.OVER) {
      pump.cancel(); // what waits for a slow reader goes too
      return;
    }
    Usage spent = spent();
    stop();
    if (before == State.COMMITTED) {
      pump.cancel();
    } else {
      listener.attemptFailed(
          provider, new GatewayError(Code.CANCELLED, "The answer was stopped."), spent);
    }
  }

  private Usage spent() {
    if (reported != null) {
      return reported;
    }
    return upstream == null ? Usage.NONE : Usage.estimate(request.chars(), reasoning.length());
  }

  private void stop() {
    close();
    if (upstream != null) {
      upstream.cancel();
    } else if (call != null) {
      call.abort().run();
    }
  }

  private void close() {
    state = State.OVER;
    vertx.cancelTimer(timer);
  }

  @Override
  public void pause() {
    if (upstream != null && state == State.COMMITTED) {
      upstream.pause();
    }
  }

  @Override
  public void resume() {
    if (upstream != null && state == State.COMMITTED) {
      contentNanos = System.nanoTime(); // silence while nobody asked was not upstream's
      upstream.resume();
    }
  }

  /** One timer for stall and total: it looks when content last came instead of being reset by it. */
  private void arm() {
    long now = System.nanoTime();
    long stallNanos = contentNanos + deadlines.stall().toNanos() - now;
    long wait = Math.min(Math.max(stallNanos, 1_000_000), Math.max(endNanos - now, 1_000_000));
    timer = vertx.setTimer((wait + 999_999) / 1_000_000, fired -> check());
  }

  private void check() {
    long now = System.nanoTime();
    if (now >= endNanos) {
      failed(ProviderFailure.error(Kind.TIMEOUT, "total"));
    } else if (now - contentNanos >= deadlines.stall().toNanos()) {
      if (pump.isWaiting()) {
        failed(ProviderFailure.error(Kind.TIMEOUT, "stall"));
        return;
      }
      contentNanos = now;
      arm();
    } else {
      arm();
    }
  }
}
