package dev.askgateway.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a search may draw on. Every one of these is enforced in SQL (spec E10).
 *
 * @param onlyChats these chats and no other; empty for all
 * @param namedChats chats the person named, which count though AI is off for them
 * @param groups whether group chats count that have no switch of their own
 * @param from earliest time, inclusive; null for any
 * @param until latest time, exclusive; null for any
 */
public record SearchFilters(
    List<UUID> onlyChats,
    List<UUID> namedChats,
    boolean groups,
    @Nullable Instant from,
    @Nullable Instant until) {

  /** Everything that is evidence by default. */
  public static final SearchFilters ALL = new SearchFilters(List.of(), List.of(), true, null, null);

  public SearchFilters {
    onlyChats = List.copyOf(onlyChats);
    namedChats = List.copyOf(namedChats);
  }

  /** The same filters inside these chats. */
  public SearchFilters within(List<UUID> chats) {
    return new SearchFilters(chats, namedChats, groups, from, until);
  }
}
