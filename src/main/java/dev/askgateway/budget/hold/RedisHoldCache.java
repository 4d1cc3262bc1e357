package dev.askgateway.budget.hold;

import dev.askgateway.budget.RedisBreaker;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.Script;
import dev.askgateway.core.UserId;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.HoldCache;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Accounts as the database said them last, and what is under way there, for all nodes: one hash of each
 * in Redis for a person, looked at and changed in one step. Whoever is not known is admitted, and while
 * Redis is away everybody is, without a wait.
 */
public final class RedisHoldCache implements HoldCache {
  /** What a node that died leaves under way counts no longer than this. */
  public static final Duration UNDER_WAY = Duration.ofSeconds(5);

  /** A copy that nothing changes is forgotten. */
  public static final Duration KEPT = Duration.ofMinutes(10);

  private static final String NONE = "";

  private final RedisLink link;
  private final String cap;
  private final String openHolds;
  private final String underWayMillis;
  private final String keptMillis;
  private final Runnable unanswered;
  private final RedisBreaker breaker = new RedisBreaker();

  /**
   * A copy in a Redis that need not be there.
   *
   * @param policy what holds for accounts that say nothing else
   * @param underWay longest time that a want counts without a word of what became of it
   * @param kept how long a copy is kept that nothing changes
   * @param unanswered told of each call that Redis did not answer, or was not asked because it is away
   */
  public RedisHoldCache(
      RedisLink link, BudgetPolicy policy, Duration underWay, Duration kept, Runnable unanswered) {
    this.link = link;
    this.cap = text(policy.requestCapMicroUsd());
    this.openHolds = Integer.toString(policy.openHolds());
    this.underWayMillis = Long.toString(underWay.toMillis());
    this.keptMillis = Long.toString(kept.toMillis());
    this.unanswered = unanswered;
  }

  @Override
  public Future<List<Boolean>> mayHold(List<Want> wants) {
    if (!breaker.mayTry()) {
      return Future.succeededFuture(all(wants));
    }
    Map<UserId, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < wants.size(); i++) {
      places.computeIfAbsent(wants.get(i).user(), first -> new ArrayList<>()).add(i);
    }
    List<Script.Call> calls = new ArrayList<>(places.size());
    places.forEach(
        (user, of) -> calls.add(call(user, asked(of.stream().map(wants::get).toList()))));
    return Scripts.MAY_HOLD
        .runAll(link, calls)
        .map(replies -> answers(wants.size(), places.values(), replies))
        .otherwise(failure -> {
          breaker.failed();
          return all(wants);
        });
  }

  /** Nothing is known: all are admitted. */
  private List<Boolean> all(List<Want> wants) {
    unanswered.run();
    return Collections.nCopies(wants.size(), true);
  }

  private List<String> asked(List<Want> wants) {
    List<String> arguments = new ArrayList<>(3 + 2 * wants.size());
    arguments.add(underWayMillis);
    arguments.add(cap);
    arguments.add(openHolds);
    for (Want want : wants) {
      arguments.add(want.requestId().toString());
      arguments.add(Long.toString(want.microUsd()));
    }
    return arguments;
  }

  private List<Boolean> answers(
      int wants, Iterable<List<Integer>> places, List<@Nullable Response> replies) {
    Boolean[] answers = new Boolean[wants];
    int next = 0;
    for (List<Integer> of : places) {
      Response reply = replies.get(next++);
      if (reply == null || reply.size() != of.size()) {
        throw new IllegalStateException("the script answered something else");
      }
      for (int i = 0; i < of.size(); i++) {
        answers[of.get(i)] = reply.get(i).toInteger() == 1;
      }
    }
    breaker.answered();
    return Arrays.asList(answers);
  }

  @Override
  public void stands(UserId user, JsonObject account, List<UUID> through) {
    if (account.isEmpty() && through.isEmpty()) {
      return;
    }
    if (!breaker.mayTry()) {
      unanswered.run();
      return;
    }
    List<String> arguments = new ArrayList<>(6 + through.size());
    arguments.add(text(account.getLong("version")));
    arguments.add(text(account.getLong("free")));
    arguments.add(text(account.getLong("open")));
    arguments.add(text(account.getLong("requestCap")));
    arguments.add(monthEnd(account.getString("month")));
    arguments.add(keptMillis);
    through.forEach(request -> arguments.add(request.toString()));
    Script.Call call = call(user, arguments);
    Scripts.STANDS.run(link, call.keys(), call.arguments()).onComplete(told -> {
      if (told.succeeded()) {
        breaker.answered();
      } else {
        breaker.failed();
        unanswered.run();
      }
    });
  }

  private static Script.Call call(UserId user, List<String> arguments) {
    String copy = RedisLink.key(user.value(), "budget");
    return new Script.Call(List.of(copy, copy + ":wants"), arguments);
  }

  /** The first moment after a month, as the database cuts them: in UTC. */
  private static String monthEnd(@Nullable String month) {
    return month == null
        ? NONE
        : Long.toString(LocalDate.parse(month)
            .plusMonths(1)
            .atStartOfDay(ZoneOffset.UTC)
            .toInstant()
            .toEpochMilli());
  }

  private static String text(@Nullable Long number) {
    return number == null ? NONE : number.toString();
  }
}
