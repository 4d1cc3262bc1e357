package dev.askgateway.intake.admission;

import dev.askgateway.core.StandingDelay;
import io.vertx.core.Vertx;

/** Lets everybody in. */
public final class Everybody {
  private Everybody() {}

  public static Admission onLoop(Vertx vertx) {
    return new Admissions(
            AdmissionConfig.OFF, true, true, new StandingDelay(), () -> 0, AdmissionListener.NONE)
        .onLoop(vertx);
  }
}
