package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;
import java.util.List;

/** Questions, each answered with one JSON document. */
public final class AskJson extends Simulation {
  public AskJson() {
    setUp(scenario("ask as JSON")
            .exec(feed(Feeds.persons()))
            .exec(Asks.json())
            .injectOpen(Settings.arrivals(5, 60, 1)))
        .protocols(Settings.protocol())
        .assertions(Bounds.all(List.of(), Bounds.whole("ask json")));
  }
}
