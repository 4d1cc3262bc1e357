package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** The same all the time, for an hour: what leaks or grows shows in the last minutes of the charts. */
public final class Soak extends Simulation {
  public Soak() {
    setUp(scenario("the same all the time")
            .exec(feed(Feeds.persons()))
            .exec(exec(randomSwitch()
                .on(
                    percent(70).then(Asks.stream()),
                    percent(20).then(Asks.json()),
                    percent(5).then(Asks.dropAndResume()),
                    percent(5).then(Asks.stop()))))
            .injectOpen(Settings.arrivals(3, 3_600, 1)))
        .protocols(Settings.protocol())
        .assertions(
            Bounds.all(Bounds.asked("ask"), Bounds.whole("ask json"), Bounds.whole("resume")));
  }
}
