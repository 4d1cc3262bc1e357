package dev.askgateway.simulation;

import dev.askgateway.answer.Bill;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.simulation.Upstream.Fate;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request on its way through a node, in the order of {@code CompletionRun}. */
final class Run implements Upstream.Reader {
  private final World world;
  private final Node node;
  final Request request;
  private final Client client;
  private final List<Bill.Call> failed = new ArrayList<>();
  boolean begun;
  private boolean answered;
  private boolean over;
  private long chars;
  private Upstream.@Nullable Call call;
  private @Nullable Usage reported;
  private @Nullable JsonObject end;

  Run(World world, Node node, Request request, Client client) {
    this.world = world;
    this.node = node;
    this.request = request;
    this.client = client;
  }

  void begun(Bank.Begun answer) {
    answered = true;
    begun = answer.begun() || (world.flaw == Flaw.REPEATS_A_USED_ID && answer.used());
    if (end != null) {
      settle(end); // it ended while the hold was taken
    } else if (!begun) {
      client.told(answer.used() ? "the id was used" : "refused " + answer.answer());
      drop();
    } else if (call == null) {
      call();
    }
  }

  /** The database could not be asked, or its answer did not come: whatever it holds is swept. */
  void notBegun() {
    answered = true;
    if (end == null) {
      client.lost();
    }
    drop();
  }

  private void drop() {
    over = true;
    node.over(this);
  }

  void call() {
    node.mayCrash(Fault.CRASH_CALLING);
    call = world.upstream.call(
        Upstream.MODELS.get(Math.min(failed.size(), Upstream.MODELS.size() - 1)), request, this);
  }

  /** FailoverGate: before the first output another model may take over. */
  @Override
  public void refused(Usage spent) {
    if (call == null) {
      return;
    }
    failed.add(new Bill.Call(call.model, "m", spent));
    if (failed.size() < Upstream.MODELS.size()) {
      call();
    } else {
      finish(TurnState.FAILED, "provider_failed", Bill.Call.NONE, false);
      client.told("all models failed");
    }
  }

  @Override
  public void delta(long more) {
    chars += more;
  }

  @Override
  public void truncated() {
    if (world.flaw == Flaw.REPLACES_WHAT_WAS_SHOWN) {
      call();
      return;
    }
    finish(TurnState.FAILED, "provider_failed", chosen(), chars > 0);
    client.told("half an answer");
  }

  @Override
  public void whole(@Nullable Usage usage) {
    reported = world.flaw == Flaw.ESTIMATES_ALWAYS ? null : usage;
    finish(TurnState.COMPLETED, null, chosen(), true);
    client.told("the whole answer");
  }

  /** A completion stops with its reader; a turn goes on without. */
  void left() {
    if (!request.answer() && !over && node.has(this)) {
      finishEarly(TurnState.CANCELLED, null, Fate.LEFT);
    }
  }

  void late() {
    if (!over && node.has(this)) {
      finishEarly(TurnState.FAILED, "provider_timeout", Fate.DROPPED);
      client.told("too late");
    }
  }

  void interrupt() {
    if (!over) {
      finishEarly(TurnState.FAILED, "interrupted", Fate.DROPPED);
      client.told("interrupted");
    }
  }

  private void finishEarly(TurnState state, @Nullable String error, Fate fate) {
    Bill.Call last = call == null ? Bill.Call.NONE : chosen();
    if (call != null) {
      call.stop(fate);
    }
    finish(state, error, last, chars > 0);
  }

  private Bill.Call chosen() {
    Usage usage = reported != null ? reported : Usage.estimate(request.inputChars(), chars);
    return call == null ? Bill.Call.NONE : new Bill.Call(call.model, "m", usage);
  }

  private void finish(TurnState state, @Nullable String error, Bill.Call paid, boolean textShown) {
    over = true;
    end = Node.end(
        Bill.of(Upstream.BOOK::costMicroUsd, paid, state, textShown)
            .withFailed(Upstream.BOOK::costMicroUsd, failed),
        state,
        error);
    if (answered) {
      settle(end);
    }
  }

  private void settle(JsonObject known) {
    if (begun) {
      node.finish(this, known);
    } else {
      node.over(this);
    }
  }

  void died() {
    if (call != null) {
      call.stop(Fate.DROPPED);
    }
    if (!over) {
      client.lost();
    }
  }
}
