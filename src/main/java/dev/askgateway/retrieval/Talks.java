package dev.askgateway.retrieval;

import dev.askgateway.store.SearchHit;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Which found messages are of one talk, and how much was found in it: a chat without a long pause. */
final class Talks {
  /** A pause that ends a talk. */
  static final Duration PAUSE = Duration.ofHours(3);

  /** Places of the ranking that tell of a talk; the many after them only add noise. */
  private static final int TELLING = 40;

  private final Map<UUID, Integer> talks = new HashMap<>();
  private final Map<Integer, Double> sums = new HashMap<>();
  private final double best;

  /** @param fused scores, best first */
  Talks(Map<UUID, Double> fused, Function<UUID, SearchHit.Compared> messages) {
    List<SearchHit.Compared> inOrder = fused.keySet().stream()
        .map(messages)
        .sorted(Comparator.comparing(
                (SearchHit.Compared message) -> message.written().chatId())
            .thenComparing(message -> message.written().at()))
        .toList();
    int talk = 0;
    UUID chat = null;
    Instant until = Instant.MIN;
    for (SearchHit.Compared message : inOrder) {
      SearchHit.Written written = message.written();
      if (!written.chatId().equals(chat) || written.at().isAfter(until)) {
        talk++;
      }
      chat = written.chatId();
      until = written.at().plus(PAUSE);
      talks.put(message.messageId(), talk);
    }
    fused.entrySet().stream()
        .limit(TELLING)
        .forEach(entry -> sums.merge(of(entry.getKey()), entry.getValue(), Double::sum));
    best = sums.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
  }

  /** What was found in a message's talk, of what was found in the best one, 0 to 1. */
  double share(SearchHit.Compared message) {
    return sums.getOrDefault(of(message.messageId()), 0.0) / best;
  }

  private int of(UUID id) {
    return talks.getOrDefault(id, 0);
  }
}
