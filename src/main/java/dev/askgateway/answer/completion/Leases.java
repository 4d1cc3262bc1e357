package dev.askgateway.answer.completion;

import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.store.TurnRepository.Running;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this node's completions and embeddings, so that those of a node that died give their
 * holds back soon and not when the longest of them could have ended. Most end before they need it.
 */
final class Leases {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

  private final TurnRepository turns;
  private final String node;
  private final Duration lease;
  private final Vertx vertx;
  private final LongSupplier nanos;
  private final long timer;
  private final Map<Running, Term> terms = new ConcurrentHashMap<>();
  private volatile boolean renewing;
  private volatile Consumer<Running> told = lost -> {};

  private record Term(long begunNanos, long longestNanos) {}

  Leases(Vertx vertx, TurnRepository turns, String node, Duration lease, LongSupplier nanos) {
    this.vertx = vertx;
    this.nanos = nanos;
    this.turns = turns;
    this.node = node;
    this.lease = lease;
    timer = vertx.setPeriodic(lease.toMillis() / 3, tick -> renew());
  }

  /** The lease to begin with, of a request that takes so long at the most. */
  Duration first(Duration longest) {
    return longest.compareTo(lease) < 0 ? longest : lease;
  }

  /** From now on it is renewed, for so long at the most. */
  Future<Void> keep(UserId user, UUID requestId, Duration longest) {
    terms.put(new Running(user, requestId), new Term(nanos.getAsLong(), longest.toNanos()));
    return Future.succeededFuture();
  }

  void let(UserId user, UUID requestId) {
    terms.remove(new Running(user, requestId));
  }

  List<Running> kept() {
    return List.copyOf(terms.keySet());
  }

  /** @param told hears of each that another node has by now, though it runs here */
  void whenLost(Consumer<Running> told) {
    this.told = told;
  }

  void close() {
    vertx.cancelTimer(timer);
  }

  /** What was begun since the last time has two thirds of its lease left. */
  private void renew() {
    long now = nanos.getAsLong();
    terms.values().removeIf(term -> now - term.begunNanos() > term.longestNanos());
    List<Running> due = terms.entrySet().stream()
        .filter(one -> now - one.getValue().begunNanos() >= lease.toNanos() / 3)
        .map(Map.Entry::getKey)
        .toList();
    if (renewing || due.isEmpty()) {
      return;
    }
    renewing = true;
    turns.renew(node, due, lease).onComplete(renewed -> {
      renewing = false;
      if (renewed.failed()) {
        LOG.warn(
            "leases of completions not renewed: {}", renewed.cause().getClass().getSimpleName());
      } else {
        renewed.result().stream()
            .filter(TurnRepository.LeaseNotice::lost)
            .map(notice -> new Running(notice.user(), notice.requestId()))
            .filter(one -> terms.remove(one) != null)
            .forEach(told);
      }
    });
  }
}
