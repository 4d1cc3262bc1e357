package dev.askgateway.simulation;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** One call of a model that answers, and what the model itself knows of it. */
final class Call implements TokenPump.Source {

  /** How it came to its end, as the model knows it. */
  enum Fate {
    RUNNING,
    REFUSED,
    TRUNCATED,
    WHOLE,
    /** The node has given it up. */
    STOPPED,
    /** The node died. */
    DROPPED
  }

  final String model;
  private final World world;
  private final Request request;
  private final Life life;
  private final int number;
  private final Promise<TokenStream> opened = Promise.promise();
  private final TokenPump pump = new TokenPump(this);
  private final StringBuilder said = new StringBuilder();
  private Fate fate = Fate.RUNNING;
  private boolean accepted;
  private @Nullable Usage reported;

  Call(World world, Request request, Life life, String model, int number) {
    this.world = world;
    this.request = request;
    this.life = life;
    this.model = model;
    this.number = number;
  }

  ModelCall start() {
    later(1, 3_500, this::open);
    return new ModelCall(opened.future(), this::cancel);
  }

  private void later(int fromMillis, int toMillis, Runnable action) {
    world.schedule.in(world.schedule.between(fromMillis, toMillis), () -> {
      if (!life.isOver() && fate == Fate.RUNNING) {
        action.run();
      } else if (fate == Fate.RUNNING) {
        fate = Fate.DROPPED;
      }
    });
  }

  private void open() {
    if (!world.schedule.strikes(Fault.PROVIDER_REFUSES)) {
      accepted = true;
      opened.complete(pump);
      later(0, 1_500, () -> delta(world.schedule.between(1, 4)));
      return;
    }
    fate = Fate.REFUSED;
    GatewayError refused = ProviderFailure.error(Kind.UNAVAILABLE, "simulated");
    accepted = world.schedule.between(0, 1) == 0;
    if (accepted) {
      opened.complete(pump);
      pump.fail(refused);
    } else {
      opened.fail(refused);
    }
  }

  private void delta(int left) {
    StringBuilder more = new StringBuilder();
    for (int i = world.schedule.between(1, 50); i > 0; i--) {
      more.append((char) ('a' + (said.length() + more.length() + 7 * number) % 26));
    }
    said.append(more);
    pump.offer(new TokenEvent.Text(more.toString()));
    later(1, 3_000, left > 1 ? () -> delta(left - 1) : this::end);
  }

  private void end() {
    if (world.schedule.strikes(Fault.PROVIDER_TRUNCATES)) {
      fate = Fate.TRUNCATED;
      if (world.flaw == Flaw.REPLACES_WHAT_WAS_SHOWN) {
        world.upstream.call(model, request.id(), life);
      }
      pump.fail(ProviderFailure.error(Kind.TRUNCATED, "simulated"));
      return;
    }
    fate = Fate.WHOLE;
    pump.offer(new TokenEvent.Finished(FinishReason.STOP));
    if (!world.schedule.strikes(Fault.PROVIDER_TELLS_NO_USAGE)) {
      long factor = world.schedule.strikes(Fault.PROVIDER_OVERREPORTS) ? 1_000 : 1;
      reported = new Usage(
          Usage.tokens(request.chars()), 0, 0, Usage.tokens(said.length()) * factor, 0, false);
      if (world.flaw != Flaw.ESTIMATES_ALWAYS) {
        pump.offer(new TokenEvent.Metered(reported));
      }
    }
    pump.end();
  }

  @Override
  public void pause() {
    // readers of a simulation are never behind
  }

  @Override
  public void resume() {
    // so there is nothing to go on with
  }

  @Override
  public void cancel() {
    boolean heard = world.flaw != Flaw.NEVER_STOPS_THE_SLOWER || saidSomething();
    if (fate == Fate.RUNNING && heard) {
      fate = Fate.STOPPED;
    }
  }

  Fate fate() {
    return fate;
  }

  String said() {
    return said.toString();
  }

  boolean saidSomething() {
    return said.length() > 0;
  }

  /** What it used, as its node can know it. */
  long costMicroUsd() {
    if (!accepted) {
      return 0;
    }
    Usage used = reported != null ? reported : Usage.estimate(request.chars(), said.length());
    return Upstream.BOOK.costMicroUsd(model, "m", used);
  }
}
