package dev.askgateway.intake.admission;

/** Hears of those who were turned away, and how late event loops are. */
public interface AdmissionListener {
  /** A request was turned away. */
  void shed(Reason reason);

  /** An event loop was so late, in nanoseconds; ten times a second for each. */
  void lagged(long nanos);
}
