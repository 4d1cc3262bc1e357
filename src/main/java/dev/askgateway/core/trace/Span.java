package dev.askgateway.core.trace;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.UUID;
import java.util.function.Function;

/**
 * One step of a request while it runs, handed along with the request. Begun by {@link #child}, over with
 * {@link #end}; what is set after that is lost. It takes numbers, ids and words of fixed lists, so that
 * nothing a person or a model wrote can get in. Any thread may call it; it never blocks.
 */
public interface Span {
  /** Of a request that nobody traces: does nothing and makes nothing. */
  Span NONE = new Span() {
    @Override
    public Span child(SpanName name) {
      return this;
    }

    @Override
    public Span set(SpanKey key, long value) {
      return this;
    }

    @Override
    public Span set(SpanKey key, boolean value) {
      return this;
    }

    @Override
    public Span set(SpanKey key, Enum<?> word) {
      return this;
    }

    @Override
    public Span set(SpanKey key, Vendor vendor) {
      return this;
    }

    @Override
    public Span set(SpanKey key, UUID id) {
      return this;
    }

    @Override
    public Span named(SpanKey key, String name) {
      return this;
    }

    @Override
    public Span failed(GatewayError.Code code) {
      return this;
    }

    @Override
    public Span used(Usage usage) {
      return this;
    }

    @Override
    public void end() {
      // nothing was begun
    }
  };

  /** A step of this step, beginning now. */
  Span child(SpanName name);

  Span set(SpanKey key, long value);

  Span set(SpanKey key, boolean value);

  /** A word: the constant's name in lower case. */
  Span set(SpanKey key, Enum<?> word);

  Span set(SpanKey key, Vendor vendor);

  Span set(SpanKey key, UUID id);

  /** A name, told only if it is one of the configuration. */
  Span named(SpanKey key, String name);

  /** It failed: {@code error.type} is the code. What we stopped ourselves is no failure. */
  Span failed(GatewayError.Code code);

  void end();

  /** What a model used. */
  default Span used(Usage usage) {
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    return set(SpanKey.INPUT_TOKENS, input)
        .set(SpanKey.CACHE_READ_TOKENS, usage.cacheReadTokens())
        .set(SpanKey.CACHE_WRITE_TOKENS, usage.cacheWriteTokens())
        .set(SpanKey.OUTPUT_TOKENS, usage.outputTokens())
        .set(SpanKey.ESTIMATED, usage.estimated());
  }

  /** Ends it as its work has ended. */
  default void end(AsyncResult<?> done) {
    if (done.failed()) {
      failed(
          done.cause() instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL);
    }
    end();
  }

  /** Work as a step of this one, which ends with it. The work may throw; then the future fails. */
  default <T> Future<T> around(SpanName name, Function<Span, Future<T>> work) {
    Span step = child(name);
    Future<T> done = begun(step, work);
    return step == NONE ? done : done.onComplete(step::end);
  }

  private static <T> Future<T> begun(Span step, Function<Span, Future<T>> work) {
    try {
      return work.apply(step);
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }
}
