package dev.askgateway.retrieval;

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
 * @param exactBelow accounts with fewer messages are scanned exactly
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
      20_000,
      true,
      Duration.ofSeconds(3));

  public RetrievalConfig {
    cosineFloors = Map.copyOf(cosineFloors);
    require(depth >= 1 && depth <= 200, "depth", depth, "1 to 200");
    require(rrfK >= 1 && rrfK <= 1000, "rrfK", rrfK, "1 to 1000");
    require(within(preferredWeight, 0, 10), "preferredWeight", preferredWeight, "0 to 10");
    require(termShare > 0 && termShare <= 1, "termShare", termShare, "more than 0, at most 1");
    require(within(cosineFloor, -1, 1), "cosineFloor", cosineFloor, "-1 to 1");
    cosineFloors.forEach((profile, floor) ->
        require(within(floor, -1, 1), "cosineFloors." + profile, floor, "-1 to 1"));
    require(windowBefore >= 0 && windowBefore <= 50, "windowBefore", windowBefore, "0 to 50");
    require(windowAfter >= 0 && windowAfter <= 50, "windowAfter", windowAfter, "0 to 50");
    require(
        windowMessages >= 1 && windowMessages <= 100, "windowMessages", windowMessages, "1 to 100");
    require(
        windowChars >= 200 && windowChars <= 100_000, "windowChars", windowChars, "200 to 100000");
    require(anchors >= 1 && anchors <= 100, "anchors", anchors, "1 to 100");
    require(exactBelow >= 0, "exactBelow", exactBelow, "0 or more");
    require(
        !legTimeout.isNegative() && !legTimeout.isZero(),
        "legTimeout",
        legTimeout,
        "more than nothing");
  }

  /** The floor of one embedding profile. */
  public double floorOf(String profileId) {
    return cosineFloors.getOrDefault(profileId, cosineFloor);
  }

  private static boolean within(double value, double least, double most) {
    return value >= least && value <= most;
  }

  private static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "retrieval." + key + " is " + value + "; it must be " + rule);
    }
  }
}
