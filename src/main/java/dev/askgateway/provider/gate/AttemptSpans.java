package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.Usage;
import dev.askgateway.core.trace.Operation;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.core.trace.Vendor;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls of models that one request makes, a span each; on the request's loop. */
public final class AttemptSpans implements AttemptListener {

  /** What became of a call. */
  private enum Outcome {
    ANSWERED,
    FAILED,
    /** By us, or by a rival that was faster. */
    STOPPED
  }

  private final Span request;
  private final SpanName first;
  private final SpanName later;
  private final AttemptListener next;
  private final Map<Integer, Call> open = new HashMap<>(2);

  private static final class Call {
    private final Span span;
    private long firstNanos = -1;

    private Call(Span span) {
      this.span = span;
    }
  }

  private AttemptSpans(Span request, SpanName first, SpanName later, AttemptListener next) {
    this.request = request;
    this.first = first;
    this.later = later;
    this.next = next;
  }

  /** Traces the calls that may give the answer, and hands on what it hears. */
  public static AttemptListener answering(Span request, AttemptListener next) {
    return of(request, SpanName.MODEL_FIRST_ATTEMPT, SpanName.MODEL_FALLBACK, next);
  }

  /** The same of the call for a question's plan. */
  public static AttemptListener planning(Span step, AttemptListener next) {
    return of(step, SpanName.MODEL_PLANNER, SpanName.MODEL_PLANNER, next);
  }

  private static AttemptListener of(
      Span parent, SpanName first, SpanName later, AttemptListener next) {
    return parent == Span.NONE ? next : new AttemptSpans(parent, first, later, next);
  }

  /** One call for vectors, as a step of the request. */
  public static Future<EmbeddingModel.Embeddings> embedding(
      Span request, EmbeddingModel model, Supplier<Future<EmbeddingModel.Embeddings>> call) {
    return request.around(SpanName.MODEL_FIRST_ATTEMPT, step -> {
      step.set(SpanKey.OPERATION, Operation.EMBEDDINGS)
          .set(SpanKey.VENDOR, vendor(model.dialect()))
          .named(SpanKey.PROVIDER, model.name())
          .named(SpanKey.MODEL, model.model());
      return call.get()
          .onSuccess(made -> step.used(made.usage()).set(SpanKey.OUTCOME, Outcome.ANSWERED))
          .onFailure(cause -> step.set(SpanKey.OUTCOME, Outcome.FAILED)
              .set(SpanKey.FAILURE, ProviderFailure.kindOf(ProviderFailure.transport(cause))));
    });
  }

  @Override
  public void started(Attempt attempt) {
    Span span = request
        .child(attempt.number() == 1 ? first : later)
        .set(SpanKey.OPERATION, Operation.CHAT)
        .set(SpanKey.VENDOR, vendor(attempt.provider().dialect()))
        .named(SpanKey.PROVIDER, attempt.provider().name())
        .named(SpanKey.MODEL, attempt.provider().model())
        .set(SpanKey.ATTEMPT, attempt.number())
        .set(SpanKey.HEDGE, attempt.hedge());
    open.put(attempt.number(), new Call(span));
    next.started(attempt);
  }

  @Override
  public void firstOutput(Attempt attempt, long nanos) {
    Call call = open.get(attempt.number());
    if (call != null) {
      call.firstNanos = nanos;
      call.span.set(SpanKey.FIRST_TOKEN_MS, TimeUnit.NANOSECONDS.toMillis(nanos));
    }
    next.firstOutput(attempt, nanos);
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
    over(attempt, error, spent, nanos);
    next.failed(attempt, error, spent, nanos);
  }

  @Override
  public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    over(attempt, failure, used, nanos);
    next.ended(attempt, failure, used, nanos);
  }

  private void over(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    Call call = open.remove(attempt.number());
    if (call == null) {
      return;
    }
    Span span = call.span.used(used).set(SpanKey.OUTCOME, outcome(failure));
    if (call.firstNanos >= 0) {
      span.set(SpanKey.STREAM_MS, TimeUnit.NANOSECONDS.toMillis(nanos - call.firstNanos));
    }
    if (failure != null && failure.code() != Code.CANCELLED) {
      span.set(SpanKey.FAILURE, ProviderFailure.kindOf(failure)).failed(failure.code());
    }
    span.end();
  }

  private static Outcome outcome(@Nullable GatewayError failure) {
    if (failure == null) {
      return Outcome.ANSWERED;
    }
    return failure.code() == Code.CANCELLED ? Outcome.STOPPED : Outcome.FAILED;
  }

  private static Vendor vendor(Dialect dialect) {
    return switch (dialect) {
      case OPENAI -> Vendor.OPENAI;
      case ANTHROPIC -> Vendor.ANTHROPIC;
      case GEMINI -> Vendor.GEMINI;
      case EXTRACTIVE -> Vendor.EXTRACTIVE;
      case ONNX -> Vendor.ONNX;
    };
  }
}
