package dev.askgateway.retrieval;

import dev.askgateway.core.Rule;
import java.time.Duration;
import java.util.Map;

/**
 * The constants of retrieval, chosen by the evals. If one of these exists, it is valid.
 *
 * @param depth hits taken from each leg
 * @param rrfK the constant of rank fusion
 * @param preferredWeight what the lists of preferred chats, or of a time long ago, count, against 1 for
 *     the others
 * @param speakerLift what a message gains, of its fused score, whose sender the question names
 * @param termShare least weight of the question's terms, rare ones weighing more, that a hit by words
 *     must hold, of all of it
 * @param cosineFloor least cosine of a hit by meaning, for models without a floor of their own
 * @param cosineFloors floors by embedding profile: a cosine means another thing in each model
 * @param evidenceFloors least evidence of a question by embedding profile: how well its best message fits
 *     and stands out; without one for a profile only hits have floors
 * @param windowBefore messages before a hit that may be shown with it
 * @param windowAfter messages after a hit that may be shown with it
 * @param windowMessages most messages of a merged window
 * @param windowChars most characters of a window, the mean of a pack's four, and of a single message
 * @param anchors best hits that windows are built for, before the best four are taken
 * @param exactBelow where fewer messages are in scope, all their vectors are compared
 * @param groups whether groups without a switch of their own are searched
 * @param legTimeout after which a leg is left out
 */
public record RetrievalConfig(
    int depth,
    int rrfK,
    double preferredWeight,
    double speakerLift,
    double termShare,
    double cosineFloor,
    Map<String, Double> cosineFloors,
    Map<String, Double> evidenceFloors,
    int windowBefore,
    int windowAfter,
    int windowMessages,
    int windowChars,
    int anchors,
    long exactBelow,
    boolean groups,
    Duration legTimeout) {

  /** Chosen on the open LoCoMo conversations; decision 21 has the numbers. */
  public static final RetrievalConfig DEFAULT = new RetrievalConfig(
      100,
      10,
      0.5,
      2.0,
      0.4,
      0.5,
      Map.of("e5-384", 0.79),
      Map.of("e5-384", 0.865),
      6,
      6,
      40,
      3200,
      24,
      5_000,
      true,
      Duration.ofSeconds(3));

  public RetrievalConfig {
    cosineFloors = Map.copyOf(cosineFloors);
    evidenceFloors = Map.copyOf(evidenceFloors);
    Rule.range("retrieval.depth", depth, 1, 200);
    Rule.range("retrieval.rrfK", rrfK, 1, 1000);
    Rule.range("retrieval.preferredWeight", preferredWeight, 0.0, 10.0);
    Rule.range("retrieval.speakerLift", speakerLift, 0.0, 10.0);
    Rule.require(
        termShare > 0 && termShare <= 1,
        "retrieval.termShare",
        termShare,
        "more than 0, at most 1");
    Rule.range("retrieval.cosineFloor", cosineFloor, -1.0, 1.0);
    cosineFloors.forEach((profile, floor) -> Rule.require(
        floor >= -1 && floor <= 1,
        "retrieval.cosineFloors",
        profile + "=" + floor,
        "profile=floor with floors of -1 to 1"));
    evidenceFloors.forEach((profile, floor) -> Rule.require(
        floor >= -1 && floor <= 2,
        "retrieval.evidenceFloors",
        profile + "=" + floor,
        "profile=floor with floors of -1 to 2"));
    Rule.range("retrieval.windowBefore", windowBefore, 0, 50);
    Rule.range("retrieval.windowAfter", windowAfter, 0, 50);
    Rule.range("retrieval.windowMessages", windowMessages, 1, 100);
    Rule.range("retrieval.windowChars", windowChars, 200, 100_000);
    Rule.range("retrieval.anchors", anchors, 1, 100);
    Rule.range("retrieval.exactBelow", exactBelow, 0, 1_000_000_000);
    Rule.range("retrieval.legTimeout", legTimeout, Duration.ofMillis(1), Duration.ofMinutes(5));
  }

  /** The floor of one embedding profile. */
  public double floorOf(String profileId) {
    return cosineFloors.getOrDefault(profileId, cosineFloor);
  }

  /** The least evidence that a question needs with one embedding profile. */
  double evidenceFloorOf(String profileId) {
    return evidenceFloors.getOrDefault(profileId, Double.NEGATIVE_INFINITY);
  }
}
