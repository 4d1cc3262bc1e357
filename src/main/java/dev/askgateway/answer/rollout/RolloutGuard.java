package dev.askgateway.answer.rollout;

import dev.askgateway.core.GatewayError;
import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.Rollout;
import dev.askgateway.store.RolloutMeasures;
import dev.askgateway.store.RolloutRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the rollout that runs back when its candidate fails a gate, with the numbers it was judged by: all
 * nodes follow, this one too, as they follow an operator. Every node looks, at the answers of all nodes since the stage began; the first that
 * finds a reason acts, and a change that an operator made meanwhile stands.
 */
public final class RolloutGuard {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutGuard.class);

  /** Most answers of an arm that are looked at, the newest. */
  private static final int MOST_ANSWERS = 20_000;

  private final Vertx vertx;
  private final RolloutRepository repository;
  private final RolloutWatch watch;
  private final RolloutConfig config;
  private final Gates gates;
  private final Consumer<String> takenBack;
  private volatile boolean looking;
  private volatile long timer = -1;

  /** @param takenBack hears the gate of each rollout that this node took back */
  public RolloutGuard(
      Vertx vertx,
      RolloutRepository repository,
      RolloutWatch watch,
      RolloutConfig config,
      Consumer<String> takenBack) {
    this.vertx = vertx;
    this.repository = repository;
    this.watch = watch;
    this.config = config;
    this.gates = new Gates(config);
    this.takenBack = takenBack;
  }

  /** The names of all gates. */
  public static List<String> gates() {
    return Gates.names();
  }

  public void start() {
    timer = vertx.setPeriodic(config.checkInterval().toMillis(), tick -> again());
  }

  public void stop() {
    vertx.cancelTimer(timer);
  }

  private void again() {
    if (!looking) {
      looking = true;
      look().onComplete(looked -> looking = false);
    }
  }

  /** Looks once. A database that is away is a matter of health and of the next time. */
  Future<Void> look() {
    Rollout rollout = watch.running();
    return rollout == null
        ? Future.succeededFuture()
        : repository
            .measures(rollout, MOST_ANSWERS, Gates.SLOWER)
            .compose(arms -> judge(rollout, arms))
            .onFailure(failure -> LOG.warn(
                "the rollout was not looked at: {}",
                failure instanceof GatewayError error
                    ? error.code()
                    : failure.getClass().getName()));
  }

  private Future<Void> judge(Rollout rollout, Map<Place, RolloutMeasures> arms) {
    Optional<Gates.Gate> failed = gates.failed(arms);
    if (failed.isEmpty()) {
      return Future.succeededFuture();
    }
    String gate = failed.get().wire();
    JsonObject numbers =
        new JsonObject().put("errorRate", config.errorRate()).put("share", rollout.share());
    arms.forEach((place, measures) -> numbers.put(place.wire(), measures.toJson()));
    return repository
        .takeBack(rollout, gate, numbers)
        .onSuccess(taken -> {
          if (taken) {
            LOG.warn("rollout {} is taken back: gate {}", rollout.name(), gate);
            takenBack.accept(gate);
          }
        })
        .mapEmpty();
  }
}
