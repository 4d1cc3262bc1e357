package dev.askgateway.evals.service;

import dev.askgateway.evals.scale.Spread;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.ToLongFunction;

/** What one part measured: said as it is known, and kept as JSON. */
final class Report {
  private final JsonArray rows = new JsonArray();

  Report(String part) {
    say("== " + part);
  }

  void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Says and keeps how long something took in those answers that have it. */
  void times(String what, List<Told> all, ToLongFunction<Told> nanos) {
    Spread spread =
        Spread.of(all.stream().mapToLong(nanos).filter(value -> value > 0).toArray());
    say("  %-34s %s ms of %d".formatted(what, spread, spread.count()));
    rows.add(spread.toJson().put("what", what));
  }

  /** Says and keeps a number. */
  void number(String what, double value) {
    say("  %-34s %10.2f".formatted(what, value));
    rows.add(new JsonObject().put("what", what).put("value", value));
  }

  JsonArray rows() {
    return rows;
  }
}
