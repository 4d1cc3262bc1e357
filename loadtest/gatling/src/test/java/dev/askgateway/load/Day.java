package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * People with an app: they look at their threads, ask three times with pauses to read and think, and
 * look at the thread again. Now and then one presses stop, loses the network, taps twice, sends again
 * or searches.
 */
public final class Day extends Simulation {
  /** Mean pause between two things a person does, in seconds; each is half to one and a half of it. */
  private static final int THINK = Settings.whole("think", 4);

  public Day() {
    setUp(scenario("a day")
            .exec(feed(Feeds.persons()))
            .exec(Asks.openApp(), think(), Asks.stream(), think())
            .exec(repeat(2).on(something(), think()))
            .exec(doIf(session -> session.contains("threadId")).then(Asks.history()))
            .injectOpen(Settings.arrivals(1.5, 60, 1)))
        .protocols(Settings.protocol())
        .assertions(Bounds.all(
            Bounds.asked("ask"),
            Bounds.whole("resume"),
            Bounds.whole("replay"),
            Bounds.whole("ask twice"),
            Bounds.whole("stop to end"),
            Bounds.whole("search"),
            Bounds.whole("threads")));
  }

  private static ChainBuilder something() {
    return exec(randomSwitch()
        .on(
            percent(45).then(Asks.stream()),
            percent(13).then(Asks.stop()),
            percent(12).then(Asks.dropAndResume()),
            percent(10).then(Asks.twice()),
            percent(10).then(Asks.askAndReplay()),
            percent(10).then(Asks.search())));
  }

  private static ChainBuilder think() {
    return pause(Duration.ofMillis(THINK * 500L), Duration.ofMillis(THINK * 1_500L));
  }
}
