package dev.askgateway.provider.check;

/**
 * What one check found.
 *
 * @param detail why, in our own words: numbers and codes, never what a model or a server wrote
 * @param millis how long it took
 */
public record Result(String name, Status status, String detail, long millis) {

  /** How a check went. */
  public enum Status {
    PASSED,
    FAILED,
    /** The model does not claim to be able to, or it cannot be tried. */
    SKIPPED
  }

  static Result passed(String name, String detail, long millis) {
    return new Result(name, Status.PASSED, detail, millis);
  }

  static Result failed(String name, String detail, long millis) {
    return new Result(name, Status.FAILED, detail, millis);
  }

  static Result skipped(String name, String detail) {
    return new Result(name, Status.SKIPPED, detail, 0);
  }
}
