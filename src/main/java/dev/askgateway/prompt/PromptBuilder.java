package dev.askgateway.prompt;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.Prompt.Message;
import dev.askgateway.core.Prompt.Role;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.TokenMeter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lays out a prompt: a constant system text, recent turns, then the evidence and the question last,
 * so that the stable part comes first (spec G5). {@link Fitting} says what goes where there is too
 * much; the question is never cut.
 */
public final class PromptBuilder {
  /** Names the wording, stored with the turn. */
  public static final String VERSION = SystemText.VERSION;

  /** Room for the lines around the evidence and one window of it, in any script and vocabulary. */
  public static final int LEAST_ROOM = 1_400;

  private final PromptConfig config;

  public PromptBuilder(PromptConfig config) {
    this.config = config;
  }

  /** The text that all prompts begin with. */
  public static String systemText() {
    return SystemText.TEXT;
  }

  /** The question as a prompt holds it: whatever was pasted into it opens no fence. */
  public static String shown(String question) {
    return Untrusted.harmless(question);
  }

  /**
   * Builds the prompt of one answer. Its evidence holds what the prompt shows: trimmed windows with
   * harmless texts.
   *
   * @param room tokens for all of it but the system text and the question with what a vendor writes
   *     around these two messages; {@link #LEAST_ROOM} or more, and it is not exceeded
   */
  public Prompt build(PromptInput input, long room, TokenMeter meter) {
    EvidenceText text = new EvidenceText(input.zone());
    List<EvidenceWindow> windows =
        input.evidence().windows().stream().map(Untrusted::window).toList();
    String around = around(input);
    Fitting fitting = new Fitting(text, meter, windows, turns(input.recent()));
    fitting.to(room
        - meter.tokens(EvidenceText.OPEN)
        - meter.tokens(EvidenceText.CLOSE)
        - meter.tokens(around));
    List<Message> messages = new ArrayList<>();
    messages.add(new Message(Role.SYSTEM, SystemText.TEXT));
    messages.addAll(fitting.turns());
    messages.add(
        new Message(Role.USER, text.of(fitting.windows()) + around + shown(input.question())));
    return new Prompt(
        VERSION,
        messages,
        input.question(),
        input.zone(),
        fitting.windows(),
        config.outputTokens(),
        config.temperature());
  }

  private List<Message> turns(List<RecentTurn> recent) {
    return recent.subList(Math.max(0, recent.size() - config.recentTurns()), recent.size()).stream()
        .filter(turn -> turn.role() != Role.SYSTEM)
        .map(turn -> new Message(turn.role(), EarlierTurn.of(turn.content())))
        .filter(turn -> !turn.content().isBlank())
        .toList();
  }

  /** What stands between the evidence and the question. */
  private static String around(PromptInput input) {
    StringBuilder text = new StringBuilder("\n\nNow: ")
        .append(shown(input.at(), input.zone()))
        .append(" (")
        .append(input.zone())
        .append(")\n");
    TimeRange range = input.plan().timeRange();
    if (range != null) {
      text.append("Time in question: from ")
          .append(shown(range.start(), range.timezone()))
          .append(", before ")
          .append(shown(range.end(), range.timezone()))
          .append('\n');
    }
    return text.append(caution(input.evidence())).append("Question: ").toString();
  }

  /** Thin evidence is to be called thin (spec E16), and a search that was not whole not whole. */
  private static String caution(EvidencePack pack) {
    return (pack.isThin() ? "The evidence is thin: one message was found.\n" : "")
        + (pack.degraded().isEmpty() ? "" : "A part of the search failed: more may exist.\n");
  }

  private static String shown(Instant time, ZoneId zone) {
    return DateTimeFormatter.ofPattern("EEEE d MMMM uuuu HH:mm", Locale.ENGLISH)
        .withZone(zone)
        .format(time);
  }
}
