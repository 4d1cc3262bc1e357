package dev.askgateway;

import dev.askgateway.answer.Draining;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.IntakeVerticle;
import dev.askgateway.intake.admission.Admissions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of a node that serves: says that it goes while it still takes requests, then takes none and
 * lets what runs come to its end, and interrupts what does not.
 *
 * @param background stops what works for nobody who waits, and gives back what it had
 * @param drain lets what runs end within a time, then interrupts it; complete when it is settled
 * @param streams how many streams are open, those of answers that run elsewhere among them
 */
record Shutdown(
    Vertx vertx,
    IntakeConfig http,
    Admissions admissions,
    List<IntakeVerticle> doors,
    Supplier<Future<Void>> background,
    Function<Duration, Future<Void>> drain,
    IntSupplier streams) {
  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** Complete when nothing runs any more and its readers were told. Never fails. */
  Future<Void> run() {
    admissions.leave();
    Future<Void> resting = background.get();
    return grace()
        .compose(seen -> {
          admissions.close();
          doors.forEach(IntakeVerticle::endConnections);
          Duration patience = http.drainTimeout();
          return Future.join(resting, drain.apply(patience), read(patience));
        })
        .onFailure(failure -> LOG.warn("not all came to its end: {}", failure.toString()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private Future<Void> grace() {
    long millis = http.drainGrace().toMillis();
    return millis == 0 ? Future.succeededFuture() : vertx.timer(millis).mapEmpty();
  }

  /** Who follows an answer of another node is let to its end as well; nothing here can interrupt it. */
  private Future<Void> read(Duration patience) {
    return new Draining(vertx, () -> streams.getAsInt() == 0, () -> {}).within(patience);
  }
}
