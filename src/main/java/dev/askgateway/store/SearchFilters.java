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
 * @param platforms ids of platforms whose chats count; empty for all
 * @param senders who wrote what is found; null for anybody. Windows show all who talk
 */
public record SearchFilters(
    List<UUID> onlyChats,
    List<UUID> namedChats,
    boolean groups,
    @Nullable Instant from,
    @Nullable Instant until,
    List<String> platforms,
    @Nullable Senders senders) {

  /** Everything that is evidence by default. */
  public static final SearchFilters ALL = new SearchFilters(List.of(), List.of(), true, null, null);

  /**
   * People by what is known of them; whoever fits either counts, the account's owner never.
   *
   * @param contactIds the person's own contacts
   * @param names as {@link NameRepository} folds them: a sender's label holds all words of one
   */
  public record Senders(List<UUID> contactIds, List<String> names) {
    public Senders {
      contactIds = List.copyOf(contactIds);
      names = List.copyOf(names);
      if (names.isEmpty()) {
        throw new IllegalArgumentException("senders have names: for anybody, there is no filter");
      }
    }
  }

  public SearchFilters {
    onlyChats = List.copyOf(onlyChats);
    namedChats = List.copyOf(namedChats);
    platforms = List.copyOf(platforms);
  }

  /** Filters of chats and times alone. */
  public SearchFilters(
      List<UUID> onlyChats,
      List<UUID> namedChats,
      boolean groups,
      @Nullable Instant from,
      @Nullable Instant until) {
    this(onlyChats, namedChats, groups, from, until, List.of(), null);
  }

  /**
   * The same filters inside these chats.
   *
   * @param chats some that the filters admit: none would mean all
   */
  public SearchFilters within(List<UUID> chats) {
    if (chats.isEmpty() || !chats.stream().allMatch(this::admits)) {
      throw new IllegalArgumentException("filters are only ever made narrower");
    }
    return new SearchFilters(chats, namedChats, groups, from, until, platforms, senders);
  }

  /** The same filters inside a time, which is cut to theirs; null for an open side. */
  public SearchFilters during(@Nullable Instant start, @Nullable Instant end) {
    Instant later = from != null && (start == null || from.isAfter(start)) ? from : start;
    Instant earlier = until != null && (end == null || until.isBefore(end)) ? until : end;
    return new SearchFilters(onlyChats, namedChats, groups, later, earlier, platforms, senders);
  }

  /** The same filters for messages of these people. */
  public SearchFilters by(Senders people) {
    return new SearchFilters(onlyChats, namedChats, groups, from, until, platforms, people);
  }

  /** Whether a chat is among those that count, as far as its id tells. */
  public boolean admits(UUID chatId) {
    return onlyChats.isEmpty() || onlyChats.contains(chatId);
  }
}
