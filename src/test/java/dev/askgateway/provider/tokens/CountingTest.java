package dev.askgateway.provider.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("Counting")
@ExtendWith(VertxExtension.class)
class CountingTest {
  private static final String SHORT = "a".repeat(Counting.MOST_AT_ONCE);
  private static final String LONG = SHORT + "b";

  /** A counter to whom each text is one token; notes where it counts, and waits when told to. */
  private static final class One implements TokenCounter {
    final Queue<Boolean> onLoop = new ConcurrentLinkedQueue<>();
    final CountDownLatch may;

    One(int waits) {
      may = new CountDownLatch(waits);
    }

    @Override
    public long count(String text) {
      onLoop.add(Context.isOnEventLoopThread());
      try {
        may.await();
      } catch (InterruptedException ended) {
        throw new IllegalStateException(ended);
      }
      return 1;
    }
  }

  private static Counting loaded(Vertx vertx, TokenCounter counter, long mostWaiting) {
    Counting counting = new Counting(vertx, () -> counter, mostWaiting);
    Wait.onLoop(vertx, counting::load);
    return counting;
  }

  @Test
  @DisplayName("loads on a worker, and bounds until that is done")
  void loading(Vertx vertx) {
    One counter = new One(0);
    CountDownLatch may = new CountDownLatch(1);
    Queue<String> threads = new ConcurrentLinkedQueue<>();
    Counting counting = new Counting(
        vertx,
        () -> {
          threads.add(Thread.currentThread().getName());
          may.await();
          return counter;
        },
        1_000_000);

    TokenCount before = Wait.onLoop(vertx, () -> {
      Future<Void> loads = counting.load();
      Future<TokenCount> at = counting.of(List.of("abc"));
      assertThat(at.isComplete()).isTrue();
      may.countDown();
      return loads.compose(there -> at);
    });
    TokenCount after = Wait.onLoop(vertx, () -> counting.of(List.of("abc")));

    assertThat(before).isEqualTo(new TokenCount(3, 0, 3));
    assertThat(after).isEqualTo(new TokenCount(1, 0, 3));
    assertThat(counting.bounded()).isOne();
    assertThat(threads).singleElement().asString().startsWith("token-count");
  }

  @Test
  @DisplayName("goes on with bounds when there is nothing to load")
  void broken(Vertx vertx) {
    Counting counting = new Counting(
        vertx,
        () -> {
          throw new IllegalStateException("not there");
        },
        1_000_000);

    TokenCount count =
        Wait.onLoop(vertx, () -> counting.load().transform(failed -> counting.of(List.of("abc"))));

    assertThat(count.tokens()).isEqualTo(3);
  }

  @Test
  @DisplayName("does short texts at once on the loop and long ones on a worker, back on the loop")
  void where(Vertx vertx) {
    One counter = new One(0);
    Counting counting = loaded(vertx, counter, 1_000_000);

    boolean back = Wait.onLoop(vertx, () -> {
      Future<TokenCount> small = counting.of(List.of(SHORT));
      assertThat(small.isComplete()).isTrue();
      Context loop = Vertx.currentContext();
      return counting.of(List.of(SHORT, "b")).map(done -> Vertx.currentContext() == loop);
    });

    assertThat(back).isTrue();
    assertThat(counter.onLoop).containsExactly(true, false, false);
    assertThat(counting.bounded()).isZero();
  }

  @Test
  @DisplayName("bounds what its queue has no room for, at once, and counts again when there is")
  void full(Vertx vertx) {
    One counter = new One(1);
    Counting counting = loaded(vertx, counter, 2L * LONG.length());

    List<TokenCount> counts = Wait.onLoop(vertx, () -> {
      Future<TokenCount> one = counting.of(List.of(LONG));
      Future<TokenCount> two = counting.of(List.of(LONG));
      Future<TokenCount> three = counting.of(List.of(LONG));
      assertThat(three.isComplete()).isTrue();
      assertThat(one.isComplete()).isFalse();
      counter.may.countDown();
      return Future.all(one, two)
          .compose(done -> counting.of(List.of(LONG)))
          .map(four -> List.of(one.result(), two.result(), three.result(), four));
    });

    assertThat(counts)
        .extracting(TokenCount::tokens)
        .containsExactly(1L, 1L, (long) LONG.length(), 1L);
    assertThat(counting.bounded()).isOne();
  }

  @Test
  @DisplayName("bounds what the counter fails at")
  void fails(Vertx vertx) {
    TokenCounter failing = text -> {
      throw new IllegalStateException("cannot");
    };
    Counting counting = loaded(vertx, failing, 1_000_000);

    assertThat(Wait.onLoop(vertx, () -> counting.of(List.of(LONG))).tokens())
        .isEqualTo(LONG.length());
    assertThat(Wait.onLoop(vertx, () -> counting.of(List.of("abc"))).tokens()).isEqualTo(3);
  }

  @Test
  @DisplayName("takes a megabyte of anything without blocking the loop")
  void hostile(Vertx vertx) {
    Counting counting = Counting.o200k(vertx);
    Wait.onLoop(vertx, counting::load);

    Texts.hostile(1 << 20).forEach((kind, text) -> {
      TokenCount count = Wait.onLoop(vertx, () -> counting.of(List.of(text)));
      assertThat(count.tokens()).as(kind).isBetween(1L, count.most());
    });
    assertThat(counting.bounded()).isZero();
  }
}
