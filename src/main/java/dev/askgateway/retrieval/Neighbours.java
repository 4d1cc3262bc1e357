package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What the messages after a hit say about it. */
final class Neighbours {
  private Neighbours() {}

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
