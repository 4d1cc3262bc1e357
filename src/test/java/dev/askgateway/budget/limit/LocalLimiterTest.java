package dev.askgateway.budget.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

@DisplayName("The limits of one node")
class LocalLimiterTest {
  private static final long SECOND = 1_000_000;

  private final AtomicLong now = new AtomicLong(7 * SECOND);
  private final LocalLimiter limiter = new LocalLimiter(now::get, 4);

  private Verdict take(String owner, Limit limit, String request) {
    return Wait.on(limiter.take(new Claim(owner, "ask", limit, request)));
  }

  private Verdict take(Limit limit) {
    return take("ana", limit, "");
  }

  @RepeatedTest(20)
  @DisplayName("admit, over any window, at most a burst and what comes back in it")
  void neverMore(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Limit limit = new Limit(1 + random.nextInt(2_000), 1 + random.nextInt(40), 0);
    List<Long> admitted = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      now.addAndGet(random.nextInt(10) == 0 ? random.nextInt(30_000_000) : random.nextInt(50_000));
      if (take(limit).isAdmitted()) {
        admitted.add(now.get());
      }
    }
    assertThat(admitted).hasSizeGreaterThan(limit.burst());
    for (int from = 0; from < admitted.size(); from++) {
      for (int to = from; to < admitted.size(); to++) {
        double seconds = (admitted.get(to) - admitted.get(from)) / 1e6;
        assertThat((double) (to - from + 1))
            .isLessThanOrEqualTo(limit.burst() + seconds * limit.perMinute() / 60);
      }
    }
  }

  @RepeatedTest(20)
  @DisplayName("say of each refusal when another try is admitted, and not before")
  void retryAfterIsExact(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Limit limit = new Limit(1 + random.nextInt(2_000), 1 + random.nextInt(10), 0);
    for (int i = 0; i < 100; i++) {
      now.addAndGet(random.nextInt(20_000));
      Verdict verdict = take(limit);
      if (!verdict.isAdmitted()) {
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.RATE);
        assertThat(verdict.remaining()).isZero();
        long wait = verdict.retryAfter().toNanos() / 1_000;
        now.addAndGet(wait - 1);
        assertThat(take(limit).isAdmitted()).isFalse();
        now.addAndGet(1);
        assertThat(take(limit).isAdmitted()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("count down the tokens, and tell when the bucket is full again")
  void countsDown() {
    Limit limit = new Limit(60, 3, 0);
    assertThat(take(limit))
        .isEqualTo(new Verdict(Verdict.Outcome.ADMITTED, 2, Duration.ofSeconds(1), Duration.ZERO));
    assertThat(take(limit).remaining()).isEqualTo(1);
    assertThat(take(limit).reset()).isEqualTo(Duration.ofSeconds(3));
    assertThat(take(limit))
        .isEqualTo(
            new Verdict(Verdict.Outcome.RATE, 0, Duration.ofSeconds(3), Duration.ofSeconds(1)));
    now.addAndGet(10 * SECOND);
    assertThat(take(limit).remaining()).isEqualTo(2);
  }

  @Test
  @DisplayName("a request that finds no room costs no token, and room comes back once")
  void room() {
    Limit limit = new Limit(60, 5, 2);
    assertThat(take("ana", limit, "1").isAdmitted()).isTrue();
    assertThat(take("ana", limit, "2").remaining()).isEqualTo(3);
    Verdict full = take("ana", limit, "3");
    assertThat(full.outcome()).isEqualTo(Verdict.Outcome.CONCURRENCY);
    assertThat(full.remaining()).isEqualTo(3);
    assertThat(full.retryAfter()).isPositive();
    assertThat(take("ben", limit, "4").isAdmitted()).isTrue();

    Claim ended = new Claim("ana", "ask", limit, "1");
    Wait.on(limiter.release(ended));
    Wait.on(limiter.release(ended));
    assertThat(take("ana", limit, "5").isAdmitted()).isTrue();
    assertThat(take("ana", limit, "6").isAdmitted()).isFalse();
  }

  @Test
  @DisplayName("remember a bounded number of buckets, those used last")
  void bounded() {
    Limit limit = new Limit(1, 1, 0);
    for (int i = 0; i < 50; i++) {
      assertThat(take("stranger-" + i, limit, "").isAdmitted()).isTrue();
      assertThat(take("ana", limit, "").isAdmitted()).isEqualTo(i == 0);
    }
    assertThat(limiter.buckets()).isEqualTo(4);
    now.addAndGet(120 * SECOND);
    assertThat(take("ben", limit, "").isAdmitted()).isTrue();
    assertThat(limiter.buckets()).isEqualTo(1);
  }

  @Test
  @DisplayName("a limit that is off limits nothing and remembers nothing")
  void off() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(take(Limit.OFF).isAdmitted()).isTrue();
    }
    assertThat(limiter.buckets()).isZero();
  }
}
