package dev.askgateway.intake.admission;

import dev.askgateway.core.StandingDelay;
import io.vertx.core.Vertx;
import java.time.Duration;

/** Lets everybody in. */
public final class Everybody {
  /** Turns nobody away for the node's lateness. */
  public static final AdmissionConfig CONFIG = new AdmissionConfig(
      false,
      1_000_000,
      AdaptiveLimit.LEAST,
      Duration.ofMillis(100),
      Duration.ofMillis(500),
      Duration.ofMillis(50),
      Duration.ofSeconds(2));

  /** Does not want to know. */
  public static final AdmissionListener UNHEARD = new AdmissionListener() {
    @Override
    public void shed(Reason reason) {
      // nobody asks
    }

    @Override
    public void lagged(long nanos) {
      // nobody asks
    }
  };

  private Everybody() {}

  public static Admissions admissions() {
    return new Admissions(CONFIG, true, true, new StandingDelay(), () -> 0, UNHEARD);
  }

  public static Admission onLoop(Vertx vertx) {
    return admissions().onLoop(vertx);
  }
}
