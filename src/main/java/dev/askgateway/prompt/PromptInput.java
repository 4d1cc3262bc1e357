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
  public PromptInput {
    recent = List.copyOf(recent);
  }
}
