package dev.askgateway.budget.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Limits in Redis")
class RedisLimiterIT {
  /** Nothing comes back while a test runs. */
  private static final int SLOW = 1;

  private final String owner = "person-" + UUID.randomUUID();
  private final AtomicInteger alone = new AtomicInteger();
  private Vertx vertx;
  private RedisLink link;
  private RedisLimiter one;
  private RedisLimiter other;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    link = link();
    one = limiter(link, Duration.ofMinutes(1));
    other = limiter(link(), Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    Wait.on(vertx.close());
  }

  private RedisLink link() {
    return new RedisLink(
        vertx,
        new RedisConfig(
            DevServices.shared().redisUrl(), Duration.ofSeconds(5), Duration.ofMinutes(5)));
  }

  private RedisLimiter limiter(RedisLink redis, Duration lease) {
    return new RedisLimiter(redis, lease, alone::incrementAndGet);
  }

  private Claim claim(int perMinute, int burst, int concurrent) {
    return new Claim(
        owner, "ask", new Limit(perMinute, burst, concurrent), UUID.randomUUID().toString());
  }

  private Response redis(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(argument.toString());
    }
    return Wait.on(link.send(request));
  }

  /** Asks again until it is so; each look is a round trip. */
  private void until(Supplier<Future<Boolean>> look) {
    Wait.on(again(look, System.nanoTime() + TimeUnit.SECONDS.toNanos(15)));
  }

  private Future<Void> again(Supplier<Future<Boolean>> look, long end) {
    return look.get().compose(seen -> {
      if (seen) {
        return Future.succeededFuture();
      }
      return System.nanoTime() > end
          ? Future.failedFuture(new AssertionError("it did not come about"))
          : vertx.timer(20).compose(later -> again(look, end));
    });
  }

  @Test
  @DisplayName("admit exactly a burst, over two nodes that ask at the same time")
  void sharedByNodes() {
    List<Future<Verdict>> all = IntStream.range(0, 200)
        .mapToObj(i -> (i % 2 == 0 ? one : other).take(claim(SLOW, 20, 0)))
        .toList();
    Wait.on(Future.all(all));
    assertThat(all.stream().filter(taken -> taken.result().isAdmitted())).hasSize(20);
    assertThat(all.stream().map(taken -> taken.result().remaining()).distinct().sorted())
        .containsExactlyElementsOf(
            IntStream.range(0, 20).mapToObj(Long::valueOf).toList());
    Verdict refused = Wait.on(one.take(claim(SLOW, 20, 0)));
    assertThat(refused.outcome()).isEqualTo(Verdict.Outcome.RATE);
    assertThat(refused.retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
    assertThat(refused.reset()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(20));
    assertThat(alone).hasValue(0);
  }

  private long redisMicros() {
    Response time = redis(Command.TIME);
    return time.get(0).toLong() * 1_000_000 + time.get(1).toLong();
  }

  @Test
  @DisplayName("admit no more than a burst and what comes back meanwhile, by the clock of Redis")
  void rate() {
    long from = redisMicros();
    int admitted = 0;
    for (int round = 0; round < 60; round++) {
      List<Future<Verdict>> some =
          IntStream.range(0, 10).mapToObj(i -> one.take(claim(6_000, 5, 0))).toList();
      Wait.on(Future.all(some));
      admitted +=
          (int) some.stream().filter(taken -> taken.result().isAdmitted()).count();
    }
    double seconds = (redisMicros() - from) / 1e6;
    assertThat((double) admitted).isBetween(6.0, 5 + 100 * seconds);
  }

  @Test
  @DisplayName("take token and slot together or neither, and give a slot back once")
  void slots() {
    Claim first = claim(SLOW, 10, 2);
    assertThat(Wait.on(one.take(first)).isAdmitted()).isTrue();
    assertThat(Wait.on(other.take(claim(SLOW, 10, 2))).remaining()).isEqualTo(8);
    Verdict full = Wait.on(one.take(claim(SLOW, 10, 2)));
    assertThat(full.outcome()).isEqualTo(Verdict.Outcome.CONCURRENCY);
    assertThat(full.remaining()).isEqualTo(8);

    Wait.on(one.release(first));
    Wait.on(one.release(first));
    assertThat(Wait.on(other.take(claim(SLOW, 10, 2))).isAdmitted()).isTrue();
    assertThat(Wait.on(one.take(claim(SLOW, 10, 2))).isAdmitted()).isFalse();
  }

  @Test
  @DisplayName("get the slots of a dead node back when their lease is over, not those renewed")
  void leases() {
    RedisLimiter dying = limiter(link, Duration.ofMillis(300));
    Claim lost = claim(0, 1, 2);
    Claim kept = claim(0, 1, 2);
    Wait.on(dying.take(lost));
    Wait.on(one.take(kept));
    assertThat(Wait.on(one.take(claim(0, 1, 2))).isAdmitted()).isFalse();
    until(() -> one.take(claim(0, 1, 2)).map(Verdict::isAdmitted));

    Wait.on(one.renew(kept));
    String slots = RedisLink.key(owner, "running:ask");
    assertThat(redis(Command.ZSCORE, slots, lost.request())).isNull();
    assertThat(redis(Command.ZCARD, slots).toInteger()).isEqualTo(2);
  }

  @Test
  @DisplayName("a renewal brings a slot back that Redis has lost")
  void renewed() {
    Claim running = claim(0, 1, 1);
    Wait.on(one.take(running));
    redis(Command.DEL, RedisLink.key(owner, "running:ask"));
    Wait.on(one.renew(running));
    assertThat(Wait.on(other.take(claim(0, 1, 1))).isAdmitted()).isFalse();
    Wait.on(one.release(running));
    assertThat(Wait.on(other.take(claim(0, 1, 1))).isAdmitted()).isTrue();
  }

  @Test
  @DisplayName("keep a person's keys on one node of a cluster, unnamed, and for a while only")
  void keys() {
    Wait.on(one.take(claim(60, 20, 8)));
    String bucket = RedisLink.key(owner, "limit:ask");
    String slots = RedisLink.key(owner, "running:ask");
    assertThat(bucket).doesNotContain(owner).startsWith("ask:{");
    assertThat(slots).startsWith(bucket.substring(0, bucket.indexOf('}') + 1));
    assertThat(redis(Command.PTTL, bucket).toLong()).isBetween(1L, 1_000L);
    assertThat(redis(Command.PTTL, slots).toLong()).isBetween(1L, 60_000L);
  }

  @Test
  @DisplayName("hold a bucket under smaller numbers to what it can hold now")
  void smaller() {
    for (int i = 0; i < 10; i++) {
      Wait.on(one.take(claim(SLOW, 10, 0)));
    }
    Verdict refused = Wait.on(one.take(claim(60, 5, 0)));
    assertThat(refused.isAdmitted()).isFalse();
    assertThat(refused.reset()).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("are sent anew to a Redis that has forgotten the script")
  void forgotten() {
    Wait.on(one.take(claim(SLOW, 3, 0)));
    redis(Command.SCRIPT, "FLUSH");
    assertThat(Wait.on(one.take(claim(SLOW, 3, 0))).remaining()).isEqualTo(1);
    assertThat(alone).hasValue(0);
  }

  @Test
  @DisplayName("without Redis each node has the same numbers for itself, and shares again after")
  void withoutRedis() {
    assumeThat(System.getenv("REDIS_URL"))
        .as("a Redis of our own, to be stopped")
        .isNull();
    Claim before = claim(SLOW, 5, 3);
    Wait.on(one.take(before));
    DevServices.shared().stopRedis();
    try {
      // One runs since Redis was there, so two more may; the tokens are those of this node.
      for (int i = 1; i <= 2; i++) {
        assertThat(Wait.on(one.take(claim(SLOW, 5, 3))).remaining()).isEqualTo(5 - i);
      }
      assertThat(Wait.on(one.take(claim(SLOW, 5, 3))).outcome())
          .isEqualTo(Verdict.Outcome.CONCURRENCY);
      assertThat(alone).hasValue(3);
      for (int i = 0; i < 3; i++) {
        assertThat(Wait.on(one.take(claim(SLOW, 5, 0))).isAdmitted()).isTrue();
      }
      assertThat(Wait.on(one.take(claim(SLOW, 5, 0))).outcome()).isEqualTo(Verdict.Outcome.RATE);
    } finally {
      DevServices.shared().startRedis();
    }
    // Empty again: a full bucket shows that it is asked.
    until(() -> one.take(claim(SLOW, 5, 0)).map(Verdict::isAdmitted));
    int decided = alone.get();
    assertThat(Wait.on(other.take(claim(SLOW, 5, 0))).remaining()).isEqualTo(3);
    assertThat(Wait.on(one.take(claim(SLOW, 5, 0))).remaining()).isEqualTo(2);
    assertThat(alone).hasValue(decided);
  }
}
