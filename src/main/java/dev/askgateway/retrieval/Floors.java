package dev.askgateway.retrieval;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * What is too poor to be shown (spec E5). A question passes by the evidence of its best message, a
 * message by its words or its cosine; none of them looks at a fused score. Both belong to the model.
 */
final class Floors {
  /** With so few candidates nothing tells how far the best one stands out. */
  static final int FEW = 20;

  /** What a cosine has to be higher then, since it decides alone. */
  private static final double FEW_LIFT = 0.02;

  private final double cosine;
  private final double evidence;

  /**
   * Floors of one search.
   *
   * @param withoutVectors whether nothing was compared by meaning: then only words count
   * @param candidates how many messages were found
   */
  Floors(RetrievalConfig config, String profileId, boolean withoutVectors, int candidates) {
    boolean few = candidates <= FEW;
    cosine = config.floorOf(profileId) + (few ? FEW_LIFT : 0);
    evidence = withoutVectors || few ? Double.NEGATIVE_INFINITY : config.evidenceFloorOf(profileId);
  }

  /** @param byWords messages that hold enough of the question's words */
  boolean pass(Retrieved.Ranked hit, Set<UUID> byWords) {
    Double close = hit.cosine();
    return byWords.contains(hit.messageId()) || (close != null && close >= cosine);
  }

  /**
   * Whether a question may be answered.
   *
   * @param best how well its best message fits it
   * @param passed what passed: a message that has no vector yet was found by its words, and they count
   */
  boolean isEnough(double best, Collection<Retrieved.Ranked> passed) {
    return best >= evidence || passed.stream().anyMatch(hit -> hit.cosine() == null);
  }
}
