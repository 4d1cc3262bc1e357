package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.chaos.Fault;
import dev.askgateway.provider.route.HealthState;
import java.time.Duration;

/**
 * One fault of the first of two models, and what must come of it.
 *
 * @param when whether any text came before it
 * @param door how the first model takes connections
 * @param limit the deadline that this fault runs into, short for this row
 * @param fault what it does with the call; without meaning unless the door is open
 * @param sees what the reader sees
 * @param finish the reason to stop that the reader sees, or null after a failure
 * @param error the failure that the reader sees, or null
 * @param first how the gate takes the first model's call: the kind of its failure, or null
 * @param retryAfter the wait that the first model's failure carries, or null
 */
record Row(
    String name,
    When when,
    Door door,
    Limit limit,
    Fault fault,
    Sees sees,
    FinishReason finish,
    Code error,
    Kind first,
    Duration retryAfter) {

  /** Where in the answer the fault is. */
  enum When {
    BEFORE,
    AFTER
  }

  /** How a server takes connections. */
  enum Door {
    OPEN,
    REFUSES,
    /** Takes them and never says a word. */
    DEAF
  }

  /** The deadline that is short. */
  enum Limit {
    NONE,
    CONNECT,
    HEADERS,
    FIRST_DELTA,
    STALL
  }

  /** Whose answer is read, and how much of it. */
  enum Sees {
    /** All of the second model's. */
    SECOND,
    /** All of the first model's. */
    FIRST,
    /** An answer of the first model's without any text. */
    NOTHING,
    /** The first model's text up to the fault, then a failure. */
    PART,
    /** A failure and no text. */
    ERROR
  }

  /** The first model fails before its text, and the second answers. */
  static Row failsOver(String name, Fault fault, Kind kind) {
    return new Row(
        name,
        When.BEFORE,
        Door.OPEN,
        Limit.NONE,
        fault,
        Sees.SECOND,
        FinishReason.STOP,
        null,
        kind,
        null);
  }

  /** The first model fails after its text: nobody else can go on. */
  static Row breaks(String name, Fault fault, Kind kind) {
    return new Row(
        name, When.AFTER, Door.OPEN, Limit.NONE, fault, Sees.PART, null, kind.code(), kind, null);
  }

  /** The first model refuses and no other is asked. */
  static Row isFinal(String name, Fault fault, Kind kind) {
    return new Row(
        name, When.BEFORE, Door.OPEN, Limit.NONE, fault, Sees.ERROR, null, kind.code(), kind, null);
  }

  /** What the first model says is an answer. */
  static Row answers(String name, When when, Fault fault, FinishReason finish) {
    Sees sees = when == When.BEFORE ? Sees.NOTHING : Sees.FIRST;
    return new Row(name, when, Door.OPEN, Limit.NONE, fault, sees, finish, null, null, null);
  }

  Row at(Door entrance, Limit deadline) {
    return new Row(name, when, entrance, deadline, fault, sees, finish, error, first, retryAfter);
  }

  Row limitedBy(Limit deadline) {
    return at(door, deadline);
  }

  Row asksToWait(Duration wait) {
    return new Row(name, when, door, limit, fault, sees, finish, error, first, wait);
  }

  /** What one of these does to the first model's health: only what it says of itself counts at once. */
  HealthState afterOne() {
    if (first == Kind.ACCOUNT) {
      return HealthState.NO_ACCESS;
    }
    boolean waits = first == Kind.RATE_LIMITED && retryAfter != null && !retryAfter.isZero();
    return waits ? HealthState.RATE_LIMITED : HealthState.UP;
  }

  /** What five in a row do: a trouble of the moment that does not pass is an outage. */
  HealthState afterFive() {
    boolean outage = first != null && first.passing() && afterOne() == HealthState.UP;
    return outage ? HealthState.DOWN : afterOne();
  }

  /** Of five requests in a row, those for which the first model is asked. */
  int asked() {
    return afterOne() == HealthState.UP ? 5 : 1;
  }

  /** Whether the connection is kept but spoilt, so that the next call on it may come twice. */
  boolean spoils() {
    return name.startsWith("stray bytes");
  }

  /** Models that must have been asked. */
  int attempts() {
    return sees == Sees.SECOND ? 2 : 1;
  }

  /** Calls that must have reached the first model's server. */
  int firstCalls() {
    return door == Door.OPEN ? 1 : 0;
  }
}
