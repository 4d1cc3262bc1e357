package dev.askgateway.budget.limit;

import dev.askgateway.budget.RedisBreaker;
import dev.askgateway.budget.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits that all nodes share. While Redis is away each node limits for itself, by the same numbers:
 * nobody is refused for that, and nobody is without a limit.
 *
 * <p>A slot has a lease, so that those of a node that died come back by themselves.
 */
public final class RedisLimiter implements Limiter {
  /** How long slots of a dead node are missing. */
  public static final Duration LEASE = Duration.ofMinutes(1);

  private final RedisLink link;
  private final Duration lease;
  private final Runnable alone;
  private final LocalLimiter here = new LocalLimiter();
  private final RedisBreaker breaker = new RedisBreaker();

  /**
   * Limits through a Redis that need not be there.
   *
   * @param alone told of each request that this node decided on for itself
   */
  public RedisLimiter(RedisLink link, Duration lease, Runnable alone) {
    this.link = link;
    this.lease = lease;
    this.alone = alone;
  }

  @Override
  public Future<Verdict> take(Claim claim) {
    if (!breaker.mayTry()) {
      return decideAlone(claim);
    }
    Limit limit = claim.limit();
    List<String> arguments = List.of(
        Long.toString(limit.periodMicros()),
        Integer.toString(limit.burst()),
        Integer.toString(limit.concurrent()),
        Long.toString(lease.toMillis()),
        claim.request());
    return Scripts.TAKE
        .run(link, List.of(key(claim, "limit:" + claim.bucket()), slots(claim)), arguments)
        .map(reply -> verdict(claim, reply))
        .recover(failure -> {
          breaker.failed();
          return decideAlone(claim);
        });
  }

  private Future<Verdict> decideAlone(Claim claim) {
    alone.run();
    return here.take(claim);
  }

  private Verdict verdict(Claim claim, @Nullable Response reply) {
    if (reply == null || reply.size() != 2) {
      throw new IllegalStateException("the script answered something else");
    }
    breaker.answered();
    Verdict.Outcome outcome = Verdict.Outcome.valueOf(reply.get(0).toString());
    if (outcome == Verdict.Outcome.ADMITTED && claim.limit().concurrent() > 0) {
      here.hold(claim); // known here as well, should Redis go while it runs
    }
    return Verdict.of(outcome, claim.limit(), reply.get(1).toLong());
  }

  @Override
  public Future<Void> renew(Claim claim) {
    return Scripts.RENEW
        .run(link, List.of(slots(claim)), List.of(Long.toString(lease.toMillis()), claim.request()))
        .mapEmpty();
  }

  @Override
  public Future<Void> release(Claim claim) {
    here.release(claim);
    return link.send(Request.cmd(Command.ZREM).arg(slots(claim)).arg(claim.request()))
        .mapEmpty();
  }

  @Override
  public Duration lease() {
    return lease;
  }

  private static String slots(Claim claim) {
    return key(claim, "running:" + claim.bucket());
  }

  private static String key(Claim claim, String name) {
    return RedisLink.key(claim.owner(), name);
  }
}
