package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.net.URI;
import java.time.Duration;

/** What {@code -D} says about a run. docs/operations/load-tests.md has the list. */
final class Settings {
  private static final URI BASE = URI.create(System.getProperty("base", "http://127.0.0.1:8080"));

  private Settings() {}

  static URI base() {
    return BASE;
  }

  /** Requests that are not streams go through Gatling's own client. */
  static HttpProtocolBuilder protocol() {
    return http.baseUrl(BASE.toString())
        .acceptHeader("application/json")
        .contentTypeHeader("application/json")
        .authorizationHeader("Bearer #{token}")
        .disableWarmUp();
  }

  /**
   * Arrivals that do not wait for answers: up to the rate in {@code ramp} seconds, then {@code seconds}
   * at that rate.
   *
   * @param rate arrivals a second, unless {@code -Drate} says otherwise
   * @param seconds how long, unless {@code -Dseconds} says otherwise
   * @param share how many of all arrivals, 0 to 1
   */
  static OpenInjectionStep[] arrivals(double rate, int seconds, double share) {
    double full = share * decimal("rate", rate);
    return new OpenInjectionStep[] {
      rampUsersPerSec(full / 10).to(full).during(Duration.ofSeconds(whole("ramp", 5))),
      constantUsersPerSec(full).during(Duration.ofSeconds(whole("seconds", seconds)))
    };
  }

  static int whole(String name, int otherwise) {
    return Integer.getInteger(name, otherwise);
  }

  static double decimal(String name, double otherwise) {
    return Double.parseDouble(System.getProperty(name, Double.toString(otherwise)));
  }

  static String text(String name, String otherwise) {
    return System.getProperty(name, otherwise);
  }
}
