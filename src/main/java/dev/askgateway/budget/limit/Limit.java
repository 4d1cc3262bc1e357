package dev.askgateway.budget.limit;

/**
 * The numbers of one bucket.
 *
 * @param perMinute tokens that come back in a minute; 0: no limit of the rate
 * @param burst tokens of a full bucket
 * @param concurrent requests at a time; 0: any number
 */
public record Limit(int perMinute, int burst, int concurrent) {
  private static final long MINUTE_MICROS = 60_000_000;

  /** Nothing is limited. */
  public static final Limit OFF = new Limit(0, 1, 0);

  public boolean hasRate() {
    return perMinute > 0;
  }

  public boolean isOff() {
    return perMinute == 0 && concurrent == 0;
  }

  /** The same for requests that are not counted while they run. */
  public Limit rateOnly() {
    return concurrent == 0 ? this : new Limit(perMinute, burst, 0);
  }

  /** How long one token takes to come back, rounded up, so that there are never more; 0: no limit. */
  long periodMicros() {
    return perMinute == 0 ? 0 : (MINUTE_MICROS + perMinute - 1) / perMinute;
  }
}
