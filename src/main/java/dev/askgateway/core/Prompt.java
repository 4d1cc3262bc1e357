package dev.askgateway.core;

import java.time.ZoneId;
import java.util.List;

/**
 * A vendor-neutral prompt: what a model is told, in the order it is sent.
 *
 * @param version names the wording, stored with the turn
 * @param messages first the constant system text, then recent turns, last the evidence and question
 * @param question the person's question as it was asked
 * @param zone the account's zone, which times are shown in
 * @param evidence the windows behind the labels, for answerers that quote instead of generate
 * @param maxOutputTokens hard cap of the answer
 * @param temperature 0 to 1
 */
public record Prompt(
    String version,
    List<Message> messages,
    String question,
    ZoneId zone,
    List<EvidenceWindow> evidence,
    int maxOutputTokens,
    double temperature) {

  public enum Role {
    SYSTEM,
    USER,
    ASSISTANT
  }

  public record Message(Role role, String content) {}

  public Prompt {
    messages = List.copyOf(messages);
    evidence = List.copyOf(evidence);
  }

  /** Characters of all messages, the base of a usage estimate. */
  public long chars() {
    return messages.stream().mapToLong(message -> message.content().length()).sum();
  }
}
