package dev.askgateway.retrieval.route;

import dev.askgateway.core.Routing;
import dev.askgateway.store.SearchFilters.Senders;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the names of a question mean among the person's own rows. A name that means nothing is none of
 * these, and its words stay ordinary words.
 *
 * @param chats chats that the question limits itself to; empty for no limit
 * @param chatWords folded words of the names they were found by
 * @param talks one-to-one chats with people the question names
 * @param people who the question names, as senders; null when they are unknown
 * @param peopleWords folded words of their names
 * @param speakers of these, whose own words are asked for; null when nobody's
 * @param speakerWords folded words of their names
 * @param open names that mean several
 */
record KnownNames(
    List<UUID> chats,
    Set<String> chatWords,
    List<UUID> talks,
    @Nullable Senders people,
    Set<String> peopleWords,
    @Nullable Senders speakers,
    Set<String> speakerWords,
    List<Routing.OpenName> open) {
  static final KnownNames NONE =
      new KnownNames(List.of(), Set.of(), List.of(), null, Set.of(), null, Set.of(), List.of());

  KnownNames {
    chats = List.copyOf(chats);
    chatWords = Set.copyOf(chatWords);
    talks = List.copyOf(talks);
    peopleWords = Set.copyOf(peopleWords);
    speakerWords = Set.copyOf(speakerWords);
    open = List.copyOf(open);
  }
}
