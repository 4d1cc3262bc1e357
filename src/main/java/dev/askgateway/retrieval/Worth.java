package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What messages and windows are worth showing: a window what its found messages are worth together, a
 * message what it and those near it were found for.
 */
final class Worth {
  /** Two middling hits are not worth a good one. */
  private static final double SHARPER = 1.5;

  /** What a hit is worth to the messages so many steps from it. */
  private static final double[] AT_STEPS = {1, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02};

  /** A long pause is as far as some messages. */
  private static final int STEPS_OF_A_PAUSE = 3;

  private final Map<UUID, Double> hits = new HashMap<>();

  /** @param scores of found messages, above 0 */
  Worth(Map<UUID, Double> scores) {
    double best =
        scores.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    scores.forEach((id, score) -> hits.put(id, Math.pow(score / best, SHARPER)));
  }

  /** Windows by what was found in them; equal ones keep their order. */
  List<Neighbourhood> bestFirst(List<Neighbourhood> windows) {
    Map<UUID, Double> sums = new HashMap<>();
    windows.forEach(window -> sums.put(
        window.anchorId(), window.messages().stream().mapToDouble(this::ofHit).sum()));
    return windows.stream()
        .sorted(Comparator.comparing((Neighbourhood window) -> sums.get(window.anchorId()))
            .reversed()) // stable
        .toList();
  }

  /** What each message of a window is worth; 0 for one that is far from everything found. */
  Map<UUID, Double> ofMessages(Neighbourhood window) {
    List<EvidenceMessage> messages = window.messages();
    Map<UUID, Double> worth = new HashMap<>();
    messages.forEach(message -> worth.put(message.id(), ofHit(message)));
    for (int hit = 0; hit < messages.size(); hit++) {
      double value = ofHit(messages.get(hit));
      if (value > 0) {
        spread(messages, hit, 1, value, worth);
        spread(messages, hit, -1, value, worth);
      }
    }
    return worth;
  }

  private static void spread(
      List<EvidenceMessage> messages, int hit, int way, double value, Map<UUID, Double> worth) {
    int steps = 0;
    for (int i = hit + way; i >= 0 && i < messages.size(); i += way) {
      steps += 1 + (isPause(messages.get(i - way), messages.get(i)) ? STEPS_OF_A_PAUSE : 0);
      if (steps >= AT_STEPS.length) {
        return;
      }
      worth.merge(messages.get(i).id(), value * AT_STEPS[steps], Double::sum);
    }
  }

  private static boolean isPause(EvidenceMessage one, EvidenceMessage other) {
    return java.time.Duration.between(one.timestamp(), other.timestamp())
            .abs()
            .compareTo(Talks.PAUSE)
        > 0;
  }

  private double ofHit(EvidenceMessage message) {
    return hits.getOrDefault(message.id(), 0.0);
  }
}
