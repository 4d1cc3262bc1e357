package dev.askgateway.prompt;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * What a prompt is made of.
 *
 * @param at the moment of the request
 * @param zone the account's zone, which times are shown in
 * @param recent earlier turns of the thread, oldest first
 */
public record PromptInput(
    String question,
    QueryPlan plan,
    Instant at,
    ZoneId zone,
    EvidencePack evidence,
    List<RecentTurn> recent) {
  /** Characters of a line of evidence beside its text, about. */
  private static final int OF_LINE = 40;

  public PromptInput {
    recent = List.copyOf(recent);
  }

  /** Characters of what a prompt may hold beside question and system text. */
  public long chars() {
    long turns = recent.stream().mapToLong(turn -> turn.content().length()).sum();
    return turns
        + evidence.windows().stream()
            .flatMap(window -> window.messages().stream())
            .mapToLong(message -> OF_LINE + message.text().length())
            .sum();
  }
}
