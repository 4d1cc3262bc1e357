package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@DisplayName("An event loop that is late")
class LoopLagTest {

  /** Keeps the calling thread busy, as too much work on an event loop does. */
  private static void work(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("knows it at once and remembers it; one that nobody watches is never late")
  void late(Vertx vertx) {
    LoopLag lag = new LoopLag(vertx);
    Context loop = vertx.getOrCreateContext();
    List<Boolean> behind = new ArrayList<>();
    Promise<Void> done = Promise.promise();
    loop.runOnContext(start -> {
      behind.add(lag.isBehind());
      lag.watch();
      work(400);
      behind.add(lag.isBehind());
      vertx.timer(250).onSuccess(later -> {
        behind.add(lag.isBehind());
        done.complete();
      });
    });
    Wait.on(done.future());

    assertThat(behind).containsExactly(false, true, true);
  }
}
