package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: each candidate once, in order, without those that are thought to be down; then
 * again those whose trouble may have passed.
 */
final class Turns {
  private final List<Seat> seats;
  private final LongSupplier nanos;
  private int next;

  Turns(List<Candidate> candidates, LongSupplier nanos) {
    this.nanos = nanos;
    seats = candidates.stream().map(Seat::new).toList();
  }

  /** A candidate's place in the round. */
  static final class Seat {
    private final Candidate candidate;
    private int tries;
    private boolean again;
    private long notBeforeNanos;

    private Seat(Candidate candidate) {
      this.candidate = candidate;
    }

    private long waitNanos(long now) {
      return Math.max(0, notBeforeNanos - now);
    }
  }

  /** Leave for one call of one candidate. */
  record Turn(Seat seat, Candidate.Permit permit) {
    Candidate candidate() {
      return seat.candidate;
    }
  }

  /** A candidate that is to be asked again, not before a wait. */
  record Repeat(Seat seat, Duration delay) {}

  /** The next that was not asked yet and can be now, or null. */
  @Nullable
  Turn untried() {
    while (next < seats.size()) {
      Turn turn = admit(seats.get(next++));
      if (turn != null) {
        return turn;
      }
    }
    return null;
  }

  /** Whether {@link #untried} will give one, as far as can be seen. */
  boolean hasUntried() {
    return seats.subList(next, seats.size()).stream()
        .anyMatch(seat -> seat.candidate.refusedFor().isZero());
  }

  /** Whether anybody is there to be asked again. */
  boolean hasRepeats() {
    return seats.stream().anyMatch(seat -> seat.again);
  }

  /** Leave for a candidate that was asked before, whose turn it now is; null: it is down by now. */
  @Nullable
  Turn admit(Seat seat) {
    seat.again = false;
    Candidate.Permit permit = seat.candidate.admit();
    if (permit == null) {
      return null;
    }
    seat.tries++;
    return new Turn(seat, permit);
  }

  /**
   * A turn failed.
   *
   * @param again whether the same may work later
   * @param mostWait longest wait that may be asked for
   */
  void failed(Turn turn, GatewayError error, boolean again, Duration mostWait) {
    Duration asked = error.retryAfter() == null ? Duration.ZERO : error.retryAfter();
    turn.seat.again = again && asked.compareTo(mostWait) <= 0;
    if (turn.seat.again) {
      turn.seat.notBeforeNanos = nanos.getAsLong() + asked.toNanos();
    }
  }

  /**
   * Who is asked again: the one that is ready first, of those the least tried.
   *
   * @param least the least wait, which upstream's own may exceed
   * @param left waits have to be shorter
   */
  @Nullable
  Repeat repeat(Duration least, Duration left) {
    long now = nanos.getAsLong();
    Comparator<Seat> readyFirst =
        Comparator.comparingLong(seat -> Math.max(least.toNanos(), seat.waitNanos(now)));
    Stream<Seat> waiting = seats.stream().filter(seat -> seat.again);
    return waiting
        .min(readyFirst.thenComparingInt(seat -> seat.tries))
        .map(seat ->
            new Repeat(seat, Duration.ofNanos(Math.max(least.toNanos(), seat.waitNanos(now)))))
        .filter(repeat -> repeat.delay().compareTo(left) < 0)
        .orElse(null);
  }

  /** The time after which the first of those that are down may be asked; zero: unknown. */
  Duration back() {
    return seats.stream()
        .map(seat -> seat.candidate.refusedFor())
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  boolean isEmpty() {
    return seats.isEmpty();
  }
}
