package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.BindException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway with a Vert.x of its own")
class OwnVertxTest {

  private record OnePort(HttpServer http) implements Server.Running {
    static Future<OnePort> on(Vertx vertx, int port) {
      return vertx
          .createHttpServer()
          .requestHandler(request -> request.response().end())
          .listen(port)
          .map(OnePort::new);
    }

    @Override
    public int port() {
      return http.actualPort();
    }

    @Override
    public Future<Void> close() {
      return http.shutdown(100, TimeUnit.MILLISECONDS);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static boolean ended(Vertx vertx) {
    try {
      vertx.runOnContext(ignored -> {});
      return false;
    } catch (java.util.concurrent.RejectedExecutionException gone) {
      return true;
    }
  }

  @Test
  @DisplayName("tells when both are closed, although the event loops are gone then")
  void closes() throws Exception {
    Vertx vertx = Vertx.vertx();
    Server.Running running = await(OwnVertx.start(vertx, own -> OnePort.on(own, 0)));
    assertThat(running.port()).isPositive();
    await(running.close());
    assertThat(ended(vertx)).isTrue();
  }

  @Test
  @DisplayName("leaves nothing running when its port is taken, and tells that")
  void failedStart() throws Exception {
    Server.Running first = await(OwnVertx.start(Vertx.vertx(), own -> OnePort.on(own, 0)));
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> await(OwnVertx.start(vertx, own -> OnePort.on(own, first.port()))))
          .hasRootCauseInstanceOf(BindException.class);
      assertThat(ended(vertx)).isTrue();
    } finally {
      await(first.close());
    }
  }
}
