package dev.askgateway.load.stream;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import scala.Option;

/** What one virtual user's steps write into Gatling's statistics. Times are milliseconds since the epoch. */
public final class Records {
  private final StatsEngine stats;
  private final Session session;

  Records(StatsEngine stats, Session session) {
    this.stats = stats;
    this.session = session;
  }

  /**
   * A stream that was read: {@code NAME} for all of it, {@code NAME retrieving} and {@code NAME first
   * text} for the way there. All three count from the request.
   *
   * @return whether it was a whole answer, or left on purpose
   */
  public boolean stream(String name, Told told) {
    if (told.retrievingAt() > 0) {
      ok(name + " retrieving", told.start(), told.retrievingAt());
    }
    if (told.firstTextAt() > 0) {
      ok(name + " first text", told.start(), told.firstTextAt());
    }
    String fault = told.left() ? "" : told.fault();
    return check(name, told.start(), told.endAt(), fault);
  }

  /** Good if there is no fault, and says so. */
  public boolean check(String name, long start, long end, String fault) {
    if (fault.isEmpty()) {
      ok(name, start, end);
      return true;
    }
    failed(name, start, end, fault);
    return false;
  }

  private void ok(String name, long start, long end) {
    stats.logResponse(
        session.scenario(),
        session.groups(),
        name,
        start,
        end,
        OK$.MODULE$,
        Option.empty(),
        Option.empty());
  }

  void failed(String name, long start, long end, String message) {
    stats.logResponse(
        session.scenario(),
        session.groups(),
        name,
        start,
        end,
        KO$.MODULE$,
        Option.empty(),
        Option.apply(message));
  }
}
