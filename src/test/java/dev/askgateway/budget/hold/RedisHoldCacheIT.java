package dev.askgateway.budget.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.HoldCache.Want;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The copy of accounts in Redis")
class RedisHoldCacheIT {
  /** A month that is not over, whenever this runs. */
  private static final String MONTH = "2999-01-01";

  private static final Duration LONG = Duration.ofMinutes(1);

  private final UserId ana = new UserId("ana-" + UUID.randomUUID());
  private final UserId ben = new UserId("ben-" + UUID.randomUUID());
  private final AtomicInteger unanswered = new AtomicInteger();
  private Vertx vertx;
  private RedisLink link;
  private RedisHoldCache one;
  private RedisHoldCache other;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    link = link();
    one = cache(link, BudgetPolicy.NONE, LONG);
    other = cache(link(), BudgetPolicy.NONE, LONG);
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

  private RedisHoldCache cache(RedisLink redis, BudgetPolicy policy, Duration underWay) {
    return new RedisHoldCache(
        redis, policy, underWay, RedisHoldCache.KEPT, unanswered::incrementAndGet);
  }

  private static JsonObject account(
      long version, @Nullable Long free, int open, @Nullable Long cap, String month) {
    return new JsonObject()
        .put("version", version)
        .put("free", free)
        .put("open", open)
        .put("requestCap", cap)
        .put("month", month);
  }

  private static JsonObject account(long version, long free) {
    return account(version, free, 0, null, MONTH);
  }

  private Response redis(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(argument.toString());
    }
    return Wait.on(link.send(request));
  }

  private String copy(UserId user) {
    return RedisLink.key(user.value(), "budget");
  }

  private String wants(UserId user) {
    return copy(user) + ":wants";
  }

  /** Tells the copy and waits until Redis has it. */
  private void stands(UserId user, JsonObject account) {
    one.stands(user, account, List.of());
    String version = account.getLong("version").toString();
    until(() -> link.send(Request.cmd(Command.HGET).arg(copy(user)).arg("version"))
        .map(there -> there != null && there.toString().equals(version)));
  }

  private void through(UserId user, List<UUID> requests) {
    one.stands(user, new JsonObject(), requests);
    until(() -> link.send(Request.cmd(Command.HEXISTS)
            .arg(wants(user))
            .arg(requests.get(requests.size() - 1).toString()))
        .map(there -> there != null && there.toInteger() == 0));
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

  private static Want want(UserId user, long amount) {
    return new Want(user, UUID.randomUUID(), amount);
  }

  private List<Boolean> asks(RedisHoldCache cache, long... amounts) {
    return Wait.on(cache.mayHold(
        LongStream.of(amounts).mapToObj(amount -> want(ana, amount)).toList()));
  }

  @Test
  @DisplayName("admits whoever it does not know")
  void unknown() {
    assertThat(asks(one, 1, Long.MAX_VALUE)).containsExactly(true, true);
  }

  @Test
  @DisplayName(
      "admits what fits beside all that is under way, in order, also after one that did not")
  void free() {
    stands(ana, account(1, 100));
    assertThat(asks(one, 60, 50, 40, 1)).containsExactly(true, false, true, false);
    assertThat(asks(other, 1, 0)).as("another node").containsExactly(false, true);
  }

  @Test
  @DisplayName("knows accounts without a limit, and amounts beyond any int")
  void unlimited() {
    stands(ana, account(1, null, 0, null, MONTH));
    assertThat(asks(one, 1L << 50, 1L << 50)).containsExactly(true, true);
    stands(ben, account(1, 1L << 50));
    assertThat(Wait.on(one.mayHold(List.of(want(ben, (1L << 50) + 1), want(ben, 1L << 50)))))
        .containsExactly(false, true);
  }

  @Test
  @DisplayName("holds each request to the lower of the account's cap and the policy's")
  void requestCap() {
    stands(ana, account(1, null, 0, 50L, MONTH));
    assertThat(asks(one, 51, 50)).containsExactly(false, true);
    RedisHoldCache lower = cache(link, new BudgetPolicy(null, 30L, null, 0), LONG);
    assertThat(asks(lower, 31, 30)).containsExactly(false, true);
    RedisHoldCache higher = cache(link, new BudgetPolicy(null, 70L, null, 0), LONG);
    assertThat(asks(higher, 51, 50)).containsExactly(false, true);
    stands(ana, account(2, null, 0, null, MONTH));
    assertThat(asks(higher, 71, 70)).containsExactly(false, true);
  }

  @Test
  @DisplayName("admits no more at a time than the policy says, those under way counted")
  void openHolds() {
    RedisHoldCache three = cache(link, new BudgetPolicy(null, null, null, 3), LONG);
    stands(ana, account(1, null, 1, null, MONTH));
    assertThat(asks(three, 1, 1, 1)).containsExactly(true, true, false);
    assertThat(asks(one, 1)).as("without a policy").containsExactly(true);
  }

  @Test
  @DisplayName("counts a request once, however often it comes, and no more once it is through")
  void through() {
    stands(ana, account(1, 100));
    Want twin = want(ana, 100);
    assertThat(Wait.on(one.mayHold(List.of(twin, twin)))).containsExactly(true, true);
    assertThat(Wait.on(other.mayHold(List.of(twin)))).containsExactly(true);
    assertThat(asks(one, 1)).containsExactly(false);
    through(ana, List.of(twin.requestId()));
    assertThat(asks(one, 100)).containsExactly(true);
  }

  @Test
  @DisplayName("takes a newer version only, whichever comes last")
  void versions() {
    stands(ana, account(7, 10));
    Want marker = want(ana, 0);
    Wait.on(one.mayHold(List.of(marker)));
    one.stands(ana, account(6, 1_000), List.of(marker.requestId()));
    until(() -> link.send(Request.cmd(Command.EXISTS).arg(wants(ana)))
        .map(there -> there != null && there.toInteger() == 0));
    assertThat(asks(other, 11)).containsExactly(false);
    stands(ana, account(8, 11));
    assertThat(asks(other, 11)).containsExactly(true);
  }

  @Test
  @DisplayName("does not know an account whose month is over")
  void months() {
    Want marker = want(ana, 0);
    Wait.on(one.mayHold(List.of(marker)));
    one.stands(ana, account(1, 0L, 0, null, "2020-01-01"), List.of(marker.requestId()));
    until(() -> link.send(Request.cmd(Command.EXISTS).arg(wants(ana)))
        .map(there -> there != null && there.toInteger() == 0));
    assertThat(redis(Command.EXISTS, copy(ana)).toInteger()).isZero();
    assertThat(asks(one, 5)).containsExactly(true);
  }

  @Test
  @DisplayName("forgets what a node that died left under way, and keeps nothing for ever")
  void expires() {
    RedisHoldCache dying = cache(link, BudgetPolicy.NONE, Duration.ofMillis(300));
    stands(ana, account(1, 100));
    assertThat(asks(dying, 40)).containsExactly(true);
    assertThat(asks(one, 40)).containsExactly(true);
    assertThat(asks(one, 60)).containsExactly(false);
    until(() -> one.mayHold(List.of(want(ana, 60))).map(answer -> answer.get(0)));
    assertThat(redis(Command.HLEN, wants(ana)).toInteger()).isEqualTo(2);
    assertThat(redis(Command.PTTL, wants(ana)).toLong()).isBetween(1L, LONG.toMillis());
    assertThat(redis(Command.PTTL, copy(ana)).toLong())
        .isBetween(1L, RedisHoldCache.KEPT.toMillis());
  }

  @Test
  @DisplayName("answers several persons in one flight, each in its place, and mixes up nobody")
  void persons() {
    stands(ana, account(1, 10));
    stands(ben, account(1, 20));
    assertThat(Wait.on(one.mayHold(
            List.of(want(ana, 10), want(ben, 15), want(ana, 1), want(ben, 5), want(ben, 1)))))
        .containsExactly(true, true, false, true, false);
    assertThat(copy(ana)).doesNotContain(ana.value());
    assertThat(wants(ana)).startsWith(copy(ana).substring(0, copy(ana).indexOf('}') + 1));
  }

  @Test
  @DisplayName("never admits more than there is, over two nodes that ask at the same time")
  void race() {
    stands(ana, account(1, 70));
    List<Future<List<Boolean>>> all = Stream.iterate(0, i -> i + 1)
        .limit(200)
        .map(i -> (i % 2 == 0 ? one : other).mayHold(List.of(want(ana, 1))))
        .toList();
    Wait.on(Future.all(all));
    assertThat(all.stream().filter(answer -> answer.result().get(0))).hasSize(70);
  }

  @Test
  @DisplayName("is unknown once Redis was emptied, its scripts among it, and learns again")
  void emptied() {
    stands(ana, account(5, 0));
    assertThat(asks(one, 1)).containsExactly(false);
    redis(Command.DEL, copy(ana), wants(ana));
    redis(Command.SCRIPT, "FLUSH");
    assertThat(asks(one, 1, 1)).containsExactly(true, true);
    stands(ana, account(6, 2));
    assertThat(asks(one, 1)).as("two are under way").containsExactly(false);
    assertThat(unanswered).hasValue(0);
  }

  @Test
  @DisplayName("without Redis everybody is admitted at once, it is counted, and it comes back")
  void away() {
    assumeThat(System.getenv("REDIS_URL"))
        .as("a Redis of our own, to be stopped")
        .isNull();
    stands(ana, account(1, 0));
    assertThat(asks(one, 1)).containsExactly(false);
    DevServices.shared().stopRedis();
    try {
      assertThat(asks(one, 1)).containsExactly(true);
      assertThat(unanswered).hasValue(1);
      one.stands(ana, account(2, 0), List.of());
      Future<List<Boolean>> next = one.mayHold(List.of(want(ana, 1)));
      assertThat(next.isComplete()).as("nobody waits").isTrue();
      assertThat(unanswered).hasValue(3);
    } finally {
      DevServices.shared().startRedis();
    }
    until(() -> {
      one.stands(ana, account(3, 0), List.of());
      return other.mayHold(List.of(want(ana, 1))).map(answer -> !answer.get(0));
    });
  }
}
