package dev.askgateway.cli;

import dev.askgateway.budget.AccountCopies;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.core.UserId;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.ReconcileRepository.Difference;
import dev.askgateway.store.ReconcileRepository.Report;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Tells where requests, accounts, grants, ledger, usage and copies of accounts do not agree. */
final class Reconcile {
  private final PrintWriter out;
  private final boolean persons;
  private final int limit;

  /**
   * @param persons whether persons are named; else the digest of them that keys in Redis have
   * @param limit most lines of differences
   */
  Reconcile(PrintWriter out, boolean persons, int limit) {
    this.out = out;
    this.persons = persons;
    this.limit = limit;
  }

  /** Prints the differences; whether there were none. */
  boolean run(Visit owner, Optional<RedisConfig> redis) {
    ReconcileRepository rows = new ReconcileRepository(owner.database());
    Report report = owner.await(rows.report(limit, ReconcileRepository.LAPSED));
    List<Difference> copies = redis.map(at -> copies(owner, rows, at)).orElse(List.of());
    report.differences().forEach(this::tell);
    copies.stream().limit(limit).forEach(this::tell);
    if (redis.isEmpty()) {
      out.println("Copies of accounts were not compared: there is no redis.url.");
    }
    long count = report.count() + copies.size();
    out.println("Differences: " + count + "; open holds: " + report.openHolds() + ", of "
        + report.requests() + " requests and " + report.accounts() + " accounts.");
    return count == 0;
  }

  private static List<Difference> copies(Visit owner, ReconcileRepository rows, RedisConfig at) {
    RedisLink redis = new RedisLink(owner.vertx(), at);
    return owner.await(new AccountCopies(redis, rows).differences().eventually(redis::close));
  }

  private void tell(Difference one) {
    out.println(one.kind() + "  request " + (one.request() == null ? "-" : one.request())
        + "  person " + shown(one.person()) + "  expected " + one.expected() + "  found "
        + one.found());
  }

  private String shown(UserId person) {
    return persons ? person.value() : RedisLink.tag(person.value());
  }
}
