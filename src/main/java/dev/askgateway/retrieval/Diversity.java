package dev.askgateway.retrieval;

import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** Picks the windows of a pack: no text twice, and other chats before a third from the same one. */
final class Diversity {
  private static final double SAME = 0.9;

  private Diversity() {}

  /**
   * The windows to show, best first.
   *
   * @param fromOneChat windows of a chat before those of others come
   */
  static List<Neighbourhood> pick(List<Neighbourhood> ranked, int limit, int fromOneChat) {
    List<Neighbourhood> distinct = distinct(ranked);
    List<Neighbourhood> chosen = new ArrayList<>();
    for (Neighbourhood window : distinct) {
      if (chosen.size() < limit && ofChat(chosen, window.chatId()) < fromOneChat) {
        chosen.add(window);
      }
    }
    for (Neighbourhood window : distinct) { // room left: better another than none
      if (chosen.size() < limit && !chosen.contains(window)) {
        chosen.add(window);
      }
    }
    return distinct.stream().filter(chosen::contains).toList();
  }

  private static List<Neighbourhood> distinct(List<Neighbourhood> ranked) {
    List<Neighbourhood> kept = new ArrayList<>();
    List<Set<String>> texts = new ArrayList<>();
    for (Neighbourhood window : ranked) {
      Set<String> words = anchorWords(window);
      if (texts.stream().noneMatch(text -> overlap(text, words) >= SAME)) {
        kept.add(window);
        texts.add(words);
      }
    }
    return kept;
  }

  private static long ofChat(List<Neighbourhood> chosen, UUID chatId) {
    return chosen.stream().filter(window -> window.chatId().equals(chatId)).count();
  }

  private static Set<String> anchorWords(Neighbourhood window) {
    return window.messages().stream()
        .filter(message -> message.id().equals(window.anchorId()))
        .findFirst()
        .map(message -> (Set<String>) new HashSet<>(Arrays.asList(
            message.text().toLowerCase(Locale.ROOT).strip().split("[\\s\\p{Punct}]+"))))
        .orElse(Set.of());
  }

  /** Shared words of all words: 1 for the same set. */
  private static double overlap(Set<String> one, Set<String> other) {
    Set<String> shared = new HashSet<>(one);
    shared.retainAll(other);
    int all = one.size() + other.size() - shared.size();
    return all == 0 ? 1 : (double) shared.size() / all;
  }
}
