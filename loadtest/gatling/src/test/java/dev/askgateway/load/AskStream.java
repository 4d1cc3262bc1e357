package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** Questions, each with its answer read as a stream. */
public final class AskStream extends Simulation {
  public AskStream() {
    setUp(scenario("ask as a stream")
            .exec(feed(Feeds.persons()))
            .exec(Asks.stream())
            .injectOpen(Settings.arrivals(5, 60, 1)))
        .protocols(Settings.protocol())
        .assertions(Bounds.all(Bounds.asked("ask")));
  }
}
