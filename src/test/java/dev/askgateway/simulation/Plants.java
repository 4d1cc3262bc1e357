package dev.askgateway.simulation;

import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.Caller;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.store.Begun;
import dev.askgateway.store.HoldCache;
import dev.askgateway.store.TurnRepository.Running;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Accounts with a mistake that a node could make with them. */
record Plants(World world, Accounts real) implements Accounts {

  /** The accounts of a node with the world's flaw; the real ones if it is none of theirs. */
  static Accounts in(World world, Accounts real) {
    return switch (world.flaw) {
      case CALLS_EARLY,
          TRUSTS_THE_COPY,
          REPEATS_A_USED_ID,
          FORGETS_THE_SLOWER,
          CHARGES_HALF_AN_EMBEDDING -> new Plants(world, real);
      default -> real;
    };
  }

  @Override
  public Future<Begun> begin(
      Caller caller, String kind, String model, Hold hold, Duration longest) {
    if (world.flaw == Flaw.TRUSTS_THE_COPY) {
      return world
          .copy
          .mayHold(List.of(new HoldCache.Want(caller.user(), caller.requestId(), hold.microUsd())))
          .map(may -> may.get(0) ? Begun.FRESH : Begun.USED);
    }
    Future<Begun> begun = real.begin(caller, kind, model, hold, longest);
    return switch (world.flaw) {
      case CALLS_EARLY -> Future.succeededFuture(Begun.FRESH);
      case REPEATS_A_USED_ID -> begun.map(Begun.FRESH);
      default -> begun;
    };
  }

  @Override
  public Future<Void> finish(Caller caller, JsonObject end) {
    JsonObject written = end.copy();
    if (world.flaw == Flaw.FORGETS_THE_SLOWER) {
      written.put("failedCostMicroUsd", 0).remove("attempts");
    } else if (world.flaw == Flaw.CHARGES_HALF_AN_EMBEDDING) {
      written.put("billableMicroUsd", end.getLong("costMicroUsd"));
    }
    return real.finish(caller, written);
  }

  /** What was ended and perhaps not written is written under other ids. */
  static void endAgain(World world, Accounts accounts, Tuple asked) {
    String[] users = (String[]) asked.getValue(1);
    JsonObject[] ends = (JsonObject[]) asked.getValue(3);
    for (int i = 0; i < users.length; i++) {
      Caller again = new Caller(
          new UserId(users[i]),
          new UUID(world.schedule.anyLong(), world.schedule.anyLong()),
          Buffer.buffer("again"),
          false,
          0,
          Span.NONE);
      JsonObject end = ends[i];
      accounts
          .begin(
              again,
              "completion",
              Life.PROFILE,
              new Hold(1, Upstream.BOOK.version()),
              Duration.ofSeconds(30))
          .onSuccess(begun -> accounts.finish(again, end));
    }
  }

  @Override
  public void whenLost(Consumer<Running> told) {
    real.whenLost(told);
  }

  @Override
  public List<Running> running() {
    return real.running();
  }

  @Override
  public void close() {
    real.close();
  }
}
