package dev.askgateway.retrieval;

import dev.askgateway.store.SearchHit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the legs found, over all chats and again inside the preferred ones, so that a preferred chat is
 * lifted but never takes the place of the rest.
 */
record Legs(
    List<SearchHit.Lexical> lexical,
    List<SearchHit.Vector> vector,
    List<SearchHit.Lexical> preferredLexical,
    List<SearchHit.Vector> preferredVector) {

  /**
   * The messages over a floor with their fused scores, best first. Floors stand on raw values, never on
   * the fused score.
   */
  Map<UUID, Double> ranked(RetrievalConfig config, double cosineFloor) {
    Set<UUID> good = new HashSet<>();
    both(lexical, preferredLexical).stream()
        .filter(hit -> isOverFloor(hit, config.termShare()))
        .forEach(hit -> good.add(hit.messageId()));
    both(vector, preferredVector).stream()
        .filter(hit -> hit.cosine() >= cosineFloor)
        .forEach(hit -> good.add(hit.messageId()));
    Map<UUID, Double> fused = RankFusion.fuse(
        config.rrfK(),
        List.of(
            new RankFusion.Ranking<>(ids(lexical), 1),
            new RankFusion.Ranking<>(ids(vector), 1),
            new RankFusion.Ranking<>(ids(preferredLexical), config.preferredWeight()),
            new RankFusion.Ranking<>(ids(preferredVector), config.preferredWeight())));
    fused.keySet().retainAll(good);
    return fused;
  }

  /**
   * Enough of what was asked for, some of it in a text itself: a question that names Ana is not
   * answered by everything Ana wrote, unless her name is all it asks for.
   */
  private static boolean isOverFloor(SearchHit.Lexical hit, double termShare) {
    if (hit.asked() == 0) {
      return false;
    }
    boolean all = hit.matched() == hit.asked();
    return all || (hit.matchedInText() > 0 && hit.share() >= termShare);
  }

  private static <T> List<T> both(List<T> one, List<T> other) {
    List<T> both = new ArrayList<>(one);
    both.addAll(other);
    return both;
  }

  private static List<UUID> ids(List<? extends SearchHit> hits) {
    return hits.stream().map(SearchHit::messageId).toList();
  }

  /** The ranked messages with what the legs said of each. */
  List<Retrieved.Ranked> described(Map<UUID, Double> ranked) {
    Map<UUID, Double> cosines = new HashMap<>();
    both(vector, preferredVector).forEach(hit -> cosines.put(hit.messageId(), hit.cosine()));
    Map<UUID, Double> shares = new HashMap<>();
    both(lexical, preferredLexical).forEach(hit -> shares.put(hit.messageId(), hit.share()));
    return ranked.entrySet().stream()
        .map(entry -> new Retrieved.Ranked(
            entry.getKey(),
            entry.getValue(),
            cosines.get(entry.getKey()),
            shares.getOrDefault(entry.getKey(), 0.0)))
        .toList();
  }

  /** The best cosine. */
  double best() {
    return vector.isEmpty() ? 0 : vector.get(0).cosine();
  }
}
