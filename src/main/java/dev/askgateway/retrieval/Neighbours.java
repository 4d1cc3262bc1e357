package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What the messages beside a hit say about it: a talk is about the question more often than one line. */
final class Neighbours {
  /** What a found neighbour's score adds to a hit's own. */
  private static final double LIFT = 0.3;

  private Neighbours() {}

  /** The neighbourhoods in a new order: an anchor whose neighbours were found too rises. */
  static List<Neighbourhood> lift(List<Neighbourhood> ranked, Map<UUID, Double> scores) {
    Map<UUID, Double> lifted = new HashMap<>();
    ranked.forEach(each -> lifted.put(each.anchorId(), lifted(each, scores)));
    return ranked.stream()
        .sorted(Comparator.comparing((Neighbourhood each) -> lifted.get(each.anchorId()))
            .reversed()) // stable
        .toList();
  }

  private static double lifted(Neighbourhood each, Map<UUID, Double> scores) {
    List<EvidenceMessage> messages = each.messages();
    double score = 0;
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i).id().equals(each.anchorId())) {
        score += scoreAt(messages, i, scores)
            + LIFT * (scoreAt(messages, i - 1, scores) + scoreAt(messages, i + 1, scores));
      }
    }
    return score;
  }

  private static double scoreAt(List<EvidenceMessage> messages, int i, Map<UUID, Double> scores) {
    return i < 0 || i >= messages.size()
        ? 0
        : scores.getOrDefault(messages.get(i).id(), 0.0);
  }

  /**
   * The found messages of a window and what answers them: where a found message asks, the next one of
   * somebody else and every reply to it are found with it, though they may share no word with the
   * question.
   */
  static Set<UUID> withAnswers(List<EvidenceMessage> messages, Set<UUID> hits) {
    Set<UUID> found = new HashSet<>();
    for (int i = 0; i < messages.size(); i++) {
      EvidenceMessage message = messages.get(i);
      if (!hits.contains(message.id())) {
        continue;
      }
      found.add(message.id());
      if (message.text().strip().endsWith("?")) {
        answers(messages, i).forEach(answer -> found.add(answer.id()));
      }
    }
    return found;
  }

  private static List<EvidenceMessage> answers(List<EvidenceMessage> messages, int asking) {
    EvidenceMessage question = messages.get(asking);
    List<EvidenceMessage> answers = new ArrayList<>();
    for (int i = asking + 1; i < messages.size(); i++) {
      EvidenceMessage message = messages.get(i);
      boolean next =
          answers.isEmpty() && message.replyTo() == null && !sameSender(message, question);
      if (next || question.platformMessageId().equals(message.replyTo())) {
        answers.add(message);
      }
    }
    return answers;
  }

  private static boolean sameSender(EvidenceMessage one, EvidenceMessage other) {
    return one.fromMe() == other.fromMe() && one.senderName().equals(other.senderName());
  }
}
