package dev.askgateway.core;

import java.util.Locale;

/**
 * What came of a question that tables could not represent, where a model may be asked for its plan (spec
 * E13). In all but {@link #USED} the plan of the tables went on.
 */
public enum PlannerOutcome {
  /** The model's plan went on, as far as it may say something. */
  USED,
  /** The model answered what is no plan. */
  INVALID,
  /** The model gave no whole answer. */
  FAILED,
  /** It gave none in time. */
  TIMEOUT,
  /** Nobody was asked: the question is above the cap of input tokens. */
  TOO_LONG,
  /** Nobody was asked: no model for plans may be told what the question's own models are told. */
  UNAVAILABLE,
  /** The answer ended while the model was asked. */
  STOPPED;

  /** As plans and metrics write it. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
