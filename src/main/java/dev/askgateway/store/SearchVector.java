package dev.askgateway.store;

/**
 * The vector of a question and the only stored vectors it may be compared with: those of the same
 * profile and version.
 *
 * @param literal the numbers in the text form that the database reads
 */
public record SearchVector(String profileId, int version, int dimensions, String literal) {

  /**
   * Takes the numbers of a query vector.
   *
   * @throws IllegalArgumentException unless they are finite and not all zero: NaN as a score sorts
   *     above every real one, so no such vector is ever asked with
   */
  public static SearchVector of(String profileId, int version, float[] values) {
    double norm = 0;
    StringBuilder text = new StringBuilder(values.length * 12).append('[');
    for (int i = 0; i < values.length; i++) {
      norm += (double) values[i] * values[i];
      text.append(i == 0 ? "" : ",").append(values[i]);
    }
    if (!Double.isFinite(norm) || norm == 0) {
      throw new IllegalArgumentException("a query vector has finite numbers, not all zero");
    }
    return new SearchVector(profileId, version, values.length, text.append(']').toString());
  }

  /** Says nothing of the numbers, which never reach a log. */
  @Override
  public String toString() {
    return "SearchVector[" + profileId + ", version " + version + ", " + dimensions + "]";
  }
}
