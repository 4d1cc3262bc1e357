package dev.askgateway.retrieval;

import dev.askgateway.core.Rule;
import java.time.Duration;
import java.util.Map;

/**
 * The constants of retrieval, chosen by the evals. If one of these exists, it is valid.
 *
 * @param depth hits taken from each leg
 * @param rrfK the constant of rank fusion
 * @param preferredWeight what the lists of preferred chats count, against 1 for the others
 * @param termShare least weight of the question's terms, rare ones weighing more, that a hit by words
 *     must hold, of all of it
 * @param cosineFloor least cosine of a hit by meaning, for models without a floor of their own
 * @param cosineFloors floors by embedding profile: a cosine means another thing in each model
 * @param windowBefore messages before a hit
 * @param windowAfter messages after a hit
 * @param windowMessages most messages of a merged window
 * @param windowChars most characters of a window
 * @param anchors best hits that windows are built for, before the best four are taken
 * @param exactBelow where fewer messages are in scope, all their vectors are compared
 * @param groups whether groups without a switch of their own are searched
 * @param legTimeout after which a leg is left out
 */
public record RetrievalConfig(
    int depth,
    int rrfK,
    double preferredWeight,
    double termShare,
    double cosineFloor,
    Map<String, Double> cosineFloors,
    int windowBefore,
    int windowAfter,
    int windowMessages,
    int windowChars,
    int anchors,
    long exactBelow,
    boolean groups,
    Duration legTimeout) {

  /**
   * Chosen on the open LoCoMo conversations: the floors of words and of e5-small-v2 together keep 93 %
   * of answerable questions answered and leave half of off-topic ones without evidence.
   */
  public static final RetrievalConfig DEFAULT = new RetrievalConfig(
      50,
      10,
      0.5,
      0.4,
      0.5,
      Map.of("e5-384", 0.82),
      2,
      2,
      12,
      2400,
      16,
      5_000,
      true,
      Duration.ofSeconds(3));

  public RetrievalConfig {
    cosineFloors = Map.copyOf(cosineFloors);
    Rule.range("retrieval.depth", depth, 1, 200);
    Rule.range("retrieval.rrfK", rrfK, 1, 1000);
    Rule.range("retrieval.preferredWeight", preferredWeight, 0.0, 10.0);
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
}
