package dev.askgateway.retrieval;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a search found, with the ranking that its pack was made of.
 *
 * @param pack what an answer may draw on; empty when nothing is over the floor
 * @param windows the windows of the ranking, at most four, whether or not the floor let them pass
 * @param ranking found messages, best first; empty where messages were taken by their time alone
 * @param evidence what the floor stands on: how well the best message fits the question; 0 without one
 */
public record Retrieved(
    EvidencePack pack, List<EvidenceWindow> windows, List<Ranked> ranking, double evidence) {

  /**
   * A found message.
   *
   * @param score the fused score, comparable within one ranking only
   * @param cosine its raw cosine with the question, -1 to 1; null when its vector was not compared
   * @param share what weight of the question's words it holds, 0 to 1
   */
  public record Ranked(
      UUID messageId, double score, @Nullable Double cosine, double share) {}

  public Retrieved {
    windows = List.copyOf(windows);
    ranking = List.copyOf(ranking);
  }
}
