package dev.askgateway.core;

import java.util.List;
import java.util.UUID;

/**
 * Which chats an answer may draw on (spec E11): all, all with some preferred, or one and no other.
 *
 * @param kind what the ids mean
 * @param chatIds none for GLOBAL, 1 to 5 for PREFERRED, exactly one for STRICT_CHAT
 */
public record Scope(Kind kind, List<UUID> chatIds) {

  public enum Kind {
    GLOBAL,
    PREFERRED,
    STRICT_CHAT
  }

  /** Most chats that can be preferred. */
  public static final int MAX_PREFERRED = 5;

  public static final Scope GLOBAL = new Scope(Kind.GLOBAL, List.of());

  public Scope {
    chatIds = List.copyOf(chatIds);
    boolean fits =
        switch (kind) {
          case GLOBAL -> chatIds.isEmpty();
          case PREFERRED -> !chatIds.isEmpty() && chatIds.size() <= MAX_PREFERRED;
          case STRICT_CHAT -> chatIds.size() == 1;
        };
    if (!fits) {
      throw new IllegalArgumentException(kind + " with " + chatIds.size() + " chats");
    }
  }

  public static Scope preferred(List<UUID> chatIds) {
    return new Scope(Kind.PREFERRED, chatIds);
  }

  public static Scope strict(UUID chatId) {
    return new Scope(Kind.STRICT_CHAT, List.of(chatId));
  }

  public boolean isStrict() {
    return kind == Kind.STRICT_CHAT;
  }
}
