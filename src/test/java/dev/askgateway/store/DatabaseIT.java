package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.answer.CutProxy;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.Timeout;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 20, timeUnit = TimeUnit.SECONDS)
class DatabaseIT {
  private static final UserId ANA = new UserId("ana");
  private static String url;

  @BeforeAll
  static void migrate() {
    url = DevServices.shared().freshDatabase("database");
    new Migrations(config(url, 1)).migrate();
  }

  private static StoreConfig config(String through, int poolSize) {
    return new StoreConfig(through, url, "ask", "ask_gateway", poolSize, Duration.ofMillis(400));
  }

  private static Future<Boolean> isAway(Future<?> asked) {
    return asked
        .map(false)
        .recover(failure -> Future.succeededFuture(failure instanceof GatewayError known
            && known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE));
  }

  @Test
  @DisplayName(
      "with every connection taken all paths give up in the stated time, and work again after")
  void exhausted(Vertx vertx, VertxTestContext test) {
    Database database = new Database(vertx, config(url, 1));
    Promise<Void> hold = Promise.promise();
    Promise<Void> held = Promise.promise();
    Future<Void> holding = database.as(ANA, client -> {
      held.complete();
      return hold.future();
    });
    held.future()
        .compose(taken -> {
          long start = System.nanoTime();
          return Future.all(
                  isAway(database.call(
                      "SELECT request_cancel($1, $2)", Tuple.of("ana", UUID.randomUUID()))),
                  isAway(database.as(ANA, client -> client.query("SELECT 1").execute())),
                  isAway(database.check()))
              .map(all -> {
                test.verify(() -> {
                  assertThat(all.<Boolean>list()).containsExactly(true, true, true);
                  assertThat(Duration.ofNanos(System.nanoTime() - start))
                      .isLessThan(Duration.ofSeconds(3));
                });
                hold.complete();
                return all;
              });
        })
        .compose(refused -> holding)
        .compose(free -> database.check())
        .onComplete(test.succeedingThenComplete());
  }

  @Test
  @DisplayName(
      "a server that says nothing any more is given up, and so is a statement that takes too long")
  void silent(Vertx vertx, VertxTestContext test) {
    Database.Limits limits = new Database.Limits(Duration.ofMillis(300), Duration.ofMillis(900));
    CutProxy.start(vertx, URI.create(url), "nothing")
        .compose(proxy -> {
          Database database = new Database(vertx, config(proxy.through(url), 2), limits);
          return isAway(
                  database.as(ANA, client -> client.query("SELECT pg_sleep(5)").execute()))
              .compose(tooLong -> {
                test.verify(() -> assertThat(tooLong).isTrue());
                return database.check();
              })
              .compose(works -> {
                proxy.silence();
                return isAway(database.check());
              });
        })
        .onComplete(test.succeeding(away -> test.verify(() -> {
          assertThat(away).isTrue();
          test.completeNow();
        })));
  }

  @Test
  @DisplayName("an address that asks for TLS is not served without it")
  void tls(Vertx vertx, VertxTestContext test) {
    isAway(new Database(vertx, config(url + "?sslmode=require", 1)).check())
        .onComplete(test.succeeding(away -> test.verify(() -> {
          assertThat(away).isTrue();
          assertThatThrownBy(() -> Tls.of("sslmode=requrie"))
              .hasMessageContaining("database.url")
              .hasMessageNotContaining("requrie");
          test.completeNow();
        })));
  }
}
