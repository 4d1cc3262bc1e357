package dev.askgateway.retrieval;

import dev.askgateway.store.SearchHit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What the legs found, over everything and again where {@link Search#lifted()} says, so that a preferred
 * chat or a likely time is lifted but never takes the place of the rest.
 */
record Legs(
    List<SearchHit.Lexical> lexical,
    List<SearchHit.Vector> vector,
    List<SearchHit.Lexical> liftedLexical,
    List<SearchHit.Vector> liftedVector) {

  /** Every message that any list holds. */
  Set<UUID> ids() {
    Set<UUID> ids = new HashSet<>();
    Stream.of(lexical, vector, liftedLexical, liftedVector)
        .forEach(list -> list.forEach(hit -> ids.add(hit.messageId())));
    return ids;
  }

  /** The messages found by words that hold enough of them. Floors stand on raw values only. */
  Set<UUID> overTermFloor(double termShare) {
    Set<UUID> good = new HashSet<>();
    Stream.concat(lexical.stream(), liftedLexical.stream())
        .filter(hit -> isOverFloor(hit, termShare))
        .forEach(hit -> good.add(hit.messageId()));
    return good;
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
}
