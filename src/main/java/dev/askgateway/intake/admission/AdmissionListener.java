package dev.askgateway.intake.admission;

/** Hears of those who were turned away, and how late event loops are. */
public interface AdmissionListener {
  /** For who does not want to know. */
  AdmissionListener NONE = new AdmissionListener() {
    @Override
    public void shed(Reason reason) {
      // nobody asks
    }

    @Override
    public void lagged(long nanos) {
      // nobody asks
    }
  };

  /** A request was turned away. */
  void shed(Reason reason);

  /** An event loop was so late, in nanoseconds; ten times a second for each. */
  void lagged(long nanos);
}
