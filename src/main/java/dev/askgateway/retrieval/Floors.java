package dev.askgateway.retrieval;

import java.util.Set;
import java.util.UUID;

/**
 * What is too poor to be shown (spec E5). A question passes by the evidence of its best message, a
 * message by its words or its cosine; none of them looks at a fused score. Both belong to the model.
 */
final class Floors {
  private final double cosine;
  private final double evidence;

  /** @param withoutVectors whether nothing was compared by meaning: then only words count */
  Floors(RetrievalConfig config, String profileId, boolean withoutVectors) {
    cosine = config.floorOf(profileId);
    evidence = withoutVectors ? Double.NEGATIVE_INFINITY : config.evidenceFloorOf(profileId);
  }

  /** @param byWords messages that hold enough of the question's words */
  boolean pass(Retrieved.Ranked hit, Set<UUID> byWords) {
    Double close = hit.cosine();
    return byWords.contains(hit.messageId()) || (close != null && close >= cosine);
  }

  /** Whether a question whose best message is this good may be answered. */
  boolean isEnough(double best) {
    return best >= evidence;
  }
}
