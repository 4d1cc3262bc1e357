package dev.askgateway.core;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The persisted names of one answer.
 *
 * @param threadId null, like userTurnId, for a search, which is kept in no thread
 */
public record TurnIds(
    UUID requestId, @Nullable UUID threadId, @Nullable UUID userTurnId, UUID assistantTurnId) {}
