package dev.askgateway.load.stream;

import com.typesafe.scalalogging.Logger;
import io.gatling.commons.util.Clock;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.LoggerFactory;

/** Runs a {@link Step} and then what comes after it, whatever became of it. */
final class StepAction implements Action {
  private final Step step;
  private final StatsEngine stats;
  private final Clock clock;
  private final Action next;
  private final Logger logger = Logger.apply(LoggerFactory.getLogger(StepAction.class));

  StepAction(Step step, StatsEngine stats, Clock clock, Action next) {
    this.step = step;
    this.stats = stats;
    this.clock = clock;
    this.next = next;
  }

  @Override
  public String name() {
    return step.name();
  }

  @Override
  public void execute(Session session) {
    Records records = new Records(stats, session);
    long start = clock.nowMillis();
    CompletableFuture.completedFuture(new io.gatling.javaapi.core.Session(session))
        .thenCompose(before -> step.work().begin(before, records))
        .whenComplete((after, failure) -> {
          if (failure != null) {
            records.failed(name(), start, clock.nowMillis(), reason(failure));
          }
          next.$bang(failure == null ? after.asScala() : session.markAsFailed());
        });
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  @Override
  public Logger logger() {
    return logger;
  }

  /** Scala's way of setting a field of a trait, which has its value here already. */
  @Override
  public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger same) {}
}
