package dev.askgateway.config;

import java.util.List;

/** The configuration cannot be used. Holds every problem found, one line each, secrets as stars. */
public final class InvalidConfig extends RuntimeException {
  private final List<String> problems;

  public InvalidConfig(List<String> problems) {
    super(String.join(System.lineSeparator(), problems), null, false, false);
    this.problems = List.copyOf(problems);
  }

  /** One line for each problem: key, value, rule and where the value came from. */
  public List<String> problems() {
    return problems;
  }
}
