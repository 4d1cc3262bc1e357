package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a turn or a request begins with.
 *
 * @param target new, client, thread, chat, search, completion or embedding
 * @param holdMicroUsd the worst case, kept back until the turn ends
 * @param recentTurns how many earlier turns to hand back
 */
public record Begin(
    UserId user,
    UUID requestId,
    Buffer fingerprint,
    String target,
    @Nullable UUID threadId,
    @Nullable String clientKey,
    @Nullable UUID chatId,
    List<UUID> scopeChatIds,
    String question,
    String profile,
    String node,
    Duration lease,
    long holdMicroUsd,
    String priceBook,
    int recentTurns) {

  HoldCache.Want want() {
    return new HoldCache.Want(user, requestId, holdMicroUsd);
  }

  /** A request that is kept in no thread: a completion or an embedding. */
  public static Begin outside(
      UserId user,
      UUID requestId,
      Buffer fingerprint,
      String target,
      String profile,
      String node,
      Duration lease,
      long holdMicroUsd,
      String priceBook) {
    return new Begin(
        user,
        requestId,
        fingerprint,
        target,
        null,
        null,
        null,
        List.of(),
        "",
        profile,
        node,
        lease,
        holdMicroUsd,
        priceBook,
        0);
  }
}
