package dev.askgateway.budget;

import dev.askgateway.core.UserId;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.ReconcileRepository.Account;
import dev.askgateway.store.ReconcileRepository.Difference;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the copies of accounts in Redis with the accounts. An older copy is no fault, and none either:
 * they only advise. One of the account's own version with other numbers is, and one that is newer than
 * the account: nothing would ever correct it.
 */
public final class AccountCopies {
  private static final String VERSION = "version";
  private static final int PAGE = 500;

  private final RedisLink redis;
  private final ReconcileRepository accounts;

  /** @param accounts on a database of the owner */
  public AccountCopies(RedisLink redis, ReconcileRepository accounts) {
    this.redis = redis;
    this.accounts = accounts;
  }

  /** What a copy says beside its version, and how a difference of it is told. */
  private enum Field {
    FREE("copy_free", "free"),
    OPEN("copy_open_holds", "open"),
    REQUEST_CAP("copy_request_cap", "requestCap");

    private final String kind;
    private final String name;

    Field(String kind, String name) {
      this.kind = kind;
      this.name = name;
    }
  }

  /**
   * The differences of all accounts: kinds {@code copy_version}, {@code copy_free}, {@code
   * copy_open_holds}, {@code copy_request_cap}; no limit is -1. Fails when Redis does not answer.
   */
  public Future<List<Difference>> differences() {
    return after("", new ArrayList<>());
  }

  private Future<List<Difference>> after(String place, List<Difference> found) {
    return accounts
        .accounts(place, PAGE)
        .compose(page -> page.isEmpty()
            ? Future.succeededFuture(found)
            : compared(page, found)
                .compose(done -> after(page.get(page.size() - 1).user().value(), found)));
  }

  private Future<Void> compared(List<Account> page, List<Difference> found) {
    return redis.batch(page.stream().map(one -> read(one.user())).toList()).compose(copies -> {
      Future<Void> done = Future.succeededFuture();
      for (int i = 0; i < page.size(); i++) {
        Account account = page.get(i);
        Response copy = copies.get(i);
        done = done.compose(before -> compare(account, copy, found));
      }
      return done;
    });
  }

  private static Request read(UserId user) {
    Request read =
        Request.cmd(Command.HMGET).arg(RedisLink.key(user.value(), "budget")).arg(VERSION);
    for (Field field : Field.values()) {
      read.arg(field.name);
    }
    return read;
  }

  private Future<Void> compare(Account account, @Nullable Response copy, List<Difference> found) {
    if (copy == null || copy.get(0) == null) {
      return Future.succeededFuture();
    }
    long copied = copy.get(0).toLong();
    long stands = account.copy().getLong(VERSION);
    if (copied == stands) {
      sameVersion(account, copy, found);
      return Future.succeededFuture();
    }
    return copied < stands
        ? Future.succeededFuture()
        : accounts.account(account.user()).map(now -> {
          newer(account, now, copied, found);
          return null;
        });
  }

  /** The account was read before the copy was: it may have changed between. */
  private static void newer(
      Account before, Optional<Account> now, long copied, List<Difference> found) {
    long stands = now.orElse(before).copy().getLong(VERSION);
    if (copied > stands) {
      found.add(new Difference("copy_version", before.user(), null, stands, copied));
    }
  }

  private static void sameVersion(Account account, Response copy, List<Difference> found) {
    int place = 0; // there the version is
    for (Field field : Field.values()) {
      Response value = copy.get(++place);
      long stands = number(text(account.copy(), field.name));
      long copied = number(value == null ? "" : value.toString());
      if (stands != copied) {
        found.add(new Difference(field.kind, account.user(), null, stands, copied));
      }
    }
  }

  private static String text(JsonObject account, String field) {
    Object value = account.getValue(field);
    return value == null ? "" : value.toString();
  }

  private static long number(String text) {
    return text.isEmpty() ? -1 : Long.parseLong(text);
  }
}
