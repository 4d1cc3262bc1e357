package dev.askgateway.provider.onnx;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The model in this process, loaded once, when it is first asked for. For any thread. */
public final class OnnxLoader {
  private final Vertx vertx;
  private final OnnxConfig config;
  private final AtomicReference<@Nullable Promise<OnnxEmbedder>> loading = new AtomicReference<>();

  public OnnxLoader(Vertx vertx, OnnxConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  /** The loaded model, on the caller's context. A load that failed is tried again. */
  public Future<OnnxEmbedder> get() {
    Promise<OnnxEmbedder> mine = Promise.promise();
    Promise<OnnxEmbedder> first = loading.compareAndExchange(null, mine);
    if (first == null) {
      OnnxEmbedder.load(vertx, config).onComplete(mine::complete, failed -> {
        loading.compareAndSet(mine, null);
        mine.fail(failed);
      });
      first = mine;
    }
    Future<OnnxEmbedder> loaded = first.future();
    return loaded.succeeded() ? loaded : onContext(loaded);
  }

  private Future<OnnxEmbedder> onContext(Future<OnnxEmbedder> loaded) {
    Context context = vertx.getOrCreateContext();
    Promise<OnnxEmbedder> here = Promise.promise();
    loaded.onComplete(done -> context.runOnContext(now -> here.handle(done)));
    return here.future();
  }

  /** Questions that wait or run; none while there is no model. */
  public int queryQueueDepth() {
    return depth(OnnxEmbedder::queryQueueDepth);
  }

  /** Passage texts that wait or run; none while there is no model. */
  public int queueDepth() {
    return depth(OnnxEmbedder::queueDepth);
  }

  private int depth(ToIntFunction<OnnxEmbedder> of) {
    Promise<OnnxEmbedder> there = loading.get();
    return there == null || !there.future().succeeded()
        ? 0
        : of.applyAsInt(there.future().result());
  }

  /** Closes the model if it was loaded. */
  public Future<Void> close() {
    Promise<OnnxEmbedder> there = loading.get();
    return there == null ? Future.succeededFuture() : there.future().compose(OnnxEmbedder::close);
  }
}
