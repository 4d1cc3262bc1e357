package dev.askgateway.provider.http;

import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds the addresses of a host. */
public interface HostLookup {

  /** All of them, never on the event loop. Fails when there are none. */
  Future<List<InetAddress>> addresses(String host);

  /**
   * The system's look-up, on a few threads of its own: a name server that is slow on purpose holds
   * nobody up but those who ask for such names.
   */
  static HostLookup system(Vertx vertx) {
    int threads = 4;
    int most = 64;
    WorkerExecutor workers =
        vertx.createSharedWorkerExecutor("host-lookup", threads, 30, TimeUnit.SECONDS);
    AtomicInteger waiting = new AtomicInteger();
    return host -> {
      if (waiting.incrementAndGet() > most) {
        waiting.decrementAndGet();
        return Future.failedFuture(ProviderFailure.error(Kind.UNAVAILABLE, "look-ups are full"));
      }
      return workers
          .executeBlocking(() -> List.of(InetAddress.getAllByName(host)), false)
          .onComplete(done -> waiting.decrementAndGet());
    };
  }
}
