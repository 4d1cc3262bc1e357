package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.Timeout;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 40, timeUnit = TimeUnit.SECONDS)
class RedisCancelSignalsIT {
  private static final UserId ANA = new UserId("ana");

  private static RedisLink link(Vertx vertx) {
    return new RedisLink(
        vertx,
        new RedisConfig(
            DevServices.shared().redisUrl(), Duration.ofSeconds(1), Duration.ofMinutes(5)));
  }

  /** Sends a signal again and again until one of them was heard. */
  private static Future<Void> heard(
      Vertx vertx, RedisCancelSignals sender, UUID request, BooleanSupplier heard, int tries) {
    if (heard.getAsBoolean()) {
      return Future.succeededFuture();
    }
    return tries == 0
        ? Future.failedFuture(new AssertionError("not heard"))
        : sender
            .send(ANA, request)
            .otherwiseEmpty()
            .compose(sent -> vertx.timer(50))
            .compose(later -> heard(vertx, sender, request, heard, tries - 1));
  }

  @Test
  @DisplayName(
      "a signal reaches whoever listens, past what is no signal, and in the gap between reads")
  void heard(Vertx vertx, VertxTestContext test) {
    RedisLink link = link(vertx);
    RedisCancelSignals listener = new RedisCancelSignals(vertx, link);
    Set<UUID> heard = ConcurrentHashMap.newKeySet();
    listener.listen((user, request) -> heard.add(request));
    RedisCancelSignals sender = new RedisCancelSignals(vertx, link(vertx));
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();
    Request junk =
        Request.cmd(Command.XADD).arg("ask:cancels").arg("*").arg("e").arg("no JSON");
    heard(vertx, sender, first, () -> heard.contains(first), 100)
        .compose(on -> link.send(junk))
        .compose(on -> heard(vertx, sender, second, () -> heard.contains(second), 100))
        .onComplete(test.succeeding(done -> {
          listener.close();
          test.completeNow();
        }));
  }

  @Test
  @DisplayName("a killed connection and a restarted Redis are got over in seconds")
  void getsOver(Vertx vertx, VertxTestContext test) {
    RedisLink link = link(vertx);
    RedisCancelSignals listener = new RedisCancelSignals(vertx, link);
    Set<UUID> heard = ConcurrentHashMap.newKeySet();
    listener.listen((user, request) -> heard.add(request));
    RedisCancelSignals sender = new RedisCancelSignals(vertx, link(vertx));
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();
    UUID third = UUID.randomUUID();
    Request kill = Request.cmd(Command.CLIENT)
        .arg("KILL")
        .arg("TYPE")
        .arg("normal")
        .arg("SKIPME")
        .arg("yes");
    heard(vertx, sender, first, () -> heard.contains(first), 100)
        .compose(on -> link.send(kill).otherwiseEmpty())
        .compose(on -> heard(vertx, sender, second, () -> heard.contains(second), 100))
        .compose(on -> vertx.executeBlocking(() -> {
          DevServices.shared().stopRedis();
          DevServices.shared().startRedis();
          return null;
        }))
        .compose(on -> heard(vertx, sender, third, () -> heard.contains(third), 200))
        .onComplete(test.succeeding(done -> test.verify(() -> {
          assertThat(heard).contains(first, second, third);
          listener.close();
          test.completeNow();
        })));
  }
}
