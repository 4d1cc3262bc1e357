package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class DatabaseTest {
  private static final Database.Limits LIMITS =
      new Database.Limits(Duration.ofMinutes(1), Duration.ofMinutes(1));

  private final Promise<SqlConnection> handedOver = Promise.promise();
  private final AtomicInteger givenBack = new AtomicInteger();

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(
        DatabaseTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A pool that hands its one connection over when the test says so. */
  private Pool pool() {
    return proxy(Pool.class, (self, method, arguments) -> handedOver.future());
  }

  /** A connection whose only use is to be given back. */
  private SqlConnection connection() {
    return proxy(SqlConnection.class, (self, method, arguments) -> {
      assertThat(method.getName()).isEqualTo("close");
      givenBack.incrementAndGet();
      return Future.succeededFuture();
    });
  }

  @Test
  @DisplayName(
      "a connection that comes when the wait for it is over is given back, and used by nobody")
  void tooLate(Vertx vertx) {
    Database database = new Database(vertx, pool(), Duration.ofMillis(1), LIMITS);
    Throwable refused =
        Wait.on(database.check().map(works -> new Throwable()).recover(Future::succeededFuture));
    assertThat(refused).isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
        .isEqualTo(GatewayError.Code.DEPENDENCY_UNAVAILABLE));
    assertThat(givenBack).hasValue(0);

    handedOver.complete(connection());

    assertThat(givenBack).hasValue(1);
  }

  @Test
  @DisplayName("a pool that has none says so at once, however long the wait may be")
  void none(Vertx vertx) {
    Database database = new Database(vertx, pool(), Duration.ofHours(1), LIMITS);
    Future<Void> asked = database.check();

    handedOver.fail("the queue is full");

    assertThat(asked.failed()).isTrue();
  }
}
