package dev.askgateway.answer.rollout;

import dev.askgateway.answer.rollout.SequentialTest.Count;
import dev.askgateway.answer.rollout.SequentialTest.Mean;
import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.RolloutMeasures;
import dev.askgateway.store.RolloutMeasures.Times;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a candidate may not do worse than the control (spec K). Each gate but the first is a test of its own,
 * and together they call a candidate worse that is not with a chance of at most the configured error, in
 * one stage of a rollout.
 */
final class Gates {
  /** How much of the opened streams must reach a terminal turn. */
  private static final double LEAST_TERMINAL = 0.99;

  /** How much more of the answers may fail. */
  private static final double FAILED = 0.005;

  /** How much more of the answers may be without a source, or have marks that name none. */
  private static final double GROUNDING = 0.02;

  /** How much dearer an answer may be. */
  private static final double DEARER = 1.15;

  /** How much longer the slowest twentieth may take. */
  static final double SLOWER = 1.2;

  /** The gates, in the order in which they are looked at. */
  enum Gate {
    /** Evidence from outside of a strict scope: none may be. */
    LEAK,
    TERMINAL,
    STREAM,
    COST,
    FIRST_TEXT,
    COMPLETION,
    SOURCES,
    MARKS;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final SequentialTest test;

  Gates(RolloutConfig config) {
    test = new SequentialTest(config.errorRate() / (Gate.values().length - 1), config.minAnswers());
  }

  static List<String> names() {
    return Arrays.stream(Gate.values()).map(Gate::wire).toList();
  }

  /** The first gate that the candidate does not pass. Who has it by name is compared with nobody. */
  Optional<Gate> failed(Map<Place, RolloutMeasures> arms) {
    RolloutMeasures candidate = of(arms, Place.CANDIDATE);
    RolloutMeasures control = of(arms, Place.CONTROL);
    RolloutMeasures listed = of(arms, Place.LISTED);
    return Arrays.stream(Gate.values())
        .filter(gate -> fails(gate, candidate, control, listed))
        .findFirst();
  }

  private static RolloutMeasures of(Map<Place, RolloutMeasures> arms, Place place) {
    return arms.getOrDefault(place, RolloutMeasures.NOTHING);
  }

  private boolean fails(
      Gate gate, RolloutMeasures candidate, RolloutMeasures control, RolloutMeasures listed) {
    return switch (gate) {
      case LEAK -> candidate.leaked() + listed.leaked() > 0;
      case TERMINAL -> losesMore(candidate, control, listed);
      case STREAM ->
        test.isLarger(
            new Count(candidate.failed(), candidate.answers()),
            new Count(control.failed(), control.answers()),
            FAILED);
      case COST -> test.isLarger(mean(candidate.cost()), mean(control.cost()), DEARER);
      case FIRST_TEXT -> isSlower(candidate.firstText(), control.firstText());
      case COMPLETION -> isSlower(candidate.completion(), control.completion());
      case SOURCES ->
        test.isLarger(
            new Count(candidate.unsourced(), candidate.completed()),
            new Count(control.unsourced(), control.completed()),
            GROUNDING);
      case MARKS ->
        test.isLarger(
            new Count(candidate.dropped(), candidate.completed()),
            new Count(control.dropped(), control.completed()),
            GROUNDING);
    };
  }

  /** A node that dies loses answers of both arms: where they can be compared, those are not the candidate's. */
  private boolean losesMore(
      RolloutMeasures candidate, RolloutMeasures control, RolloutMeasures listed) {
    Count lost =
        new Count(candidate.lost() + listed.lost(), candidate.answers() + listed.answers());
    Count usual = new Count(control.lost(), control.answers());
    return test.isLarger(lost, 1 - LEAST_TERMINAL)
        && (usual.of() < test.least() || test.isLarger(lost, usual, 0));
  }

  private static Mean mean(RolloutMeasures.Mean cost) {
    return new Mean(cost.count(), cost.mean(), cost.variance());
  }

  /** Of the control a twentieth is slow by definition; of a candidate that is as quick not more. */
  private boolean isSlower(Times candidate, Times control) {
    return test.isLarger(
        new Count(candidate.slow(), candidate.count()),
        new Count(control.slow(), control.count()),
        0);
  }
}
