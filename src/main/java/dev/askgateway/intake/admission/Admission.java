package dev.askgateway.intake.admission;

import dev.askgateway.core.StandingDelay;
import dev.askgateway.core.UserId;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in on one event loop. What is measured is the node's own work, never a provider's: from the
 * request to its first status, from there until the model is asked, the lateness of the loop, the wait for
 * a connection of the database.
 */
public final class Admission {
  private final Admissions node;
  private final AdaptiveLimit limit;
  private final LagShare share;
  private final LoopLag lag;
  private final StandingDelay status = new StandingDelay();
  private final StandingDelay start = new StandingDelay();

  // Written on the loop alone, read by whoever looks at the node.
  private final AtomicInteger beginning = new AtomicInteger();
  private volatile int shown;

  Admission(Admissions node, Vertx vertx) {
    this.node = node;
    this.limit = new AdaptiveLimit(node.config().maxBeginning());
    this.share = new LagShare(node.config().lagTarget().toNanos());
    this.lag = new LoopLag(vertx, this::looked);
    this.shown = limit.now();
    lag.start();
  }

  /**
   * Lets a question in. Of a known request nothing is counted, and it is never turned away: what it wants
   * runs or is stored.
   *
   * @param named the request's id, if its client can send it again, else null
   * @throws dev.askgateway.core.GatewayError overloaded, with a time to wait
   */
  public Ticket question(UserId user, @Nullable UUID named) {
    return admit(user, named, true);
  }

  /** The same for a completion or an embedding, whose evidence nobody looks for. */
  public Ticket completion(UserId user, @Nullable UUID named) {
    return admit(user, named, false);
  }

  private Ticket admit(UserId user, @Nullable UUID named, boolean retrieves) {
    if (named != null && node.known().contains(user, named)) {
      return Ticket.FREE;
    }
    Reason reason = tooMuch();
    if (reason == null && !node.takePlace()) {
      reason = Reason.OPEN;
    }
    if (reason != null) {
      throw node.shed(reason);
    }
    return new Beginning(user, named, retrieves);
  }

  private @Nullable Reason tooMuch() {
    if (node.isClosed()) {
      return Reason.DRAINING;
    }
    if (!node.config().enabled()) {
      return null;
    }
    if (beginning.get() >= limit.now()) {
      return Reason.LIMIT;
    }
    return share.takes(lag.standingNanos()) ? null : Reason.LAG;
  }

  /**
   * Lets an import begin, which can wait: not while half of the limit is taken, nor just after a question
   * or a completion was turned away.
   *
   * @throws dev.askgateway.core.GatewayError overloaded, with a time to wait
   */
  public void checkImport() {
    if (node.isClosed()) {
      throw node.shed(Reason.DRAINING);
    }
    if (!node.config().enabled()) {
      return;
    }
    if (node.isShort() || beginning.get() * 2 >= limit.now()) {
      throw node.shed(Reason.IMPORT);
    }
  }

  private void looked(long lateNanos) {
    node.listener().lagged(lateNanos);
    if (!node.config().enabled()) {
      return;
    }
    long now = System.nanoTime();
    boolean late = status.nanos(now) > node.config().statusTarget().toNanos()
        || start.nanos(now) > node.config().startTarget().toNanos()
        || node.connections().nanos(now) > node.config().statusTarget().toNanos();
    if (limit.judge(beginning.get(), late)) {
      node.runsShort();
    }
    shown = limit.now();
  }

  int limit() {
    return shown;
  }

  int beginning() {
    return beginning.get();
  }

  /** A request that was let in, until its model is asked; then it only holds its place. */
  private final class Beginning implements Ticket {
    private final UserId user;
    private final @Nullable UUID named;
    private final boolean retrieves;
    private final long sinceNanos = System.nanoTime();
    private boolean seen;
    private boolean started;
    private boolean over;

    Beginning(UserId user, @Nullable UUID named, boolean retrieves) {
      this.user = user;
      this.named = named;
      this.retrieves = retrieves && node.retrievesHere();
      beginning.incrementAndGet();
      status.enter(sinceNanos);
      if (this.retrieves) {
        start.enter(sinceNanos);
      }
    }

    @Override
    public void begun() {
      if (named != null) {
        node.known().add(user, named);
      }
    }

    @Override
    public void seen() {
      if (!seen && !over) {
        seen = true;
        status.leave(sinceNanos, System.nanoTime());
        if (!retrieves) {
          started();
        }
      }
    }

    @Override
    public void started() {
      seen();
      if (!started && !over) {
        started = true;
        beginning.decrementAndGet();
        if (retrieves) {
          start.leave(sinceNanos, System.nanoTime());
        }
      }
    }

    @Override
    public void over() {
      if (over) {
        return;
      }
      over = true;
      long now = System.nanoTime();
      if (!seen) {
        status.drop(now);
      }
      if (!started) {
        beginning.decrementAndGet();
        if (retrieves) {
          start.drop(now);
        }
      }
      node.leavePlace();
    }
  }
}
