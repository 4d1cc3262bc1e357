package dev.askgateway.query;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a question by tables alone: no model, no I/O, the same plan for the same words, moment and
 * zone.
 *
 * <p>A range bounds the messages' own times unless the question is about a plan, the range is that of
 * an event ("for Saturday", "about the weekend", "when is dinner on Saturday"), or it has not begun
 * yet: people talk about a date on other days. A stretch up to the request ("the past couple of days") always bounds messages.
 */
public final class QueryCompiler {
  private static final Pattern EVENT_BEFORE = Pattern.compile(
      "\\b(?:for|about|regarding|sobre|para)(?: the| el| la| this| next| este)?\\s*$");

  private static final Pattern SPEAKING = Pattern.compile(
      "\\b(?:say|said|tell|told|mention(?:ed)?|write|wrote|text(?:ed)?|talk(?:ed)?|dijo|dije|dijimos"
          + "|hablamos|hable|conto|escribio)\\b");

  /** What a time is: when something was said, a stretch up to the request, or an event's date. */
  private enum Kind {
    SAID,
    STRETCH,
    EVENT
  }

  private record Found(TimeRange range, Kind kind) {}

  /**
   * Compiles a question.
   *
   * @param at the moment of the request, which relative times count from
   * @param zone the account's zone, which days are cut in
   */
  public QueryPlan compile(String question, Instant at, ZoneId zone) {
    String folded = FoldedText.of(question);
    Intent intent = IntentRules.intent(folded);
    boolean plans = intent == Intent.PLAN_RECALL;
    Tense tense = Tense.of(FoldedText.words(folded), plans);
    Found time = time(folded, new Calendar(at, zone), tense);
    return new QueryPlan(
        intent,
        time == null ? null : time.range(),
        time != null && boundsMessages(time, folded, plans, at),
        List.of(),
        intent == Intent.PEOPLE_RANKING ? IntentRules.location(folded) : null,
        plans ? IntentRules.planStatus(folded) : List.of(),
        intent == Intent.PEOPLE_RANKING ? IntentRules.ranking(folded) : null,
        IntentRules.requestedAction(folded));
  }

  private static boolean boundsMessages(Found time, String folded, boolean plans, Instant at) {
    if (time.kind() == Kind.EVENT || !time.range().start().isBefore(at)) {
      return false;
    }
    boolean told = SPEAKING.matcher(folded).find() && !time.range().end().isAfter(at);
    return !plans || time.kind() == Kind.STRETCH || told;
  }

  /** The first time that is when something was said, else the first that is when something happens. */
  private static @Nullable Found time(String folded, Calendar calendar, Tense tense) {
    Found ofEvent = null;
    boolean present = Tense.isPresent(folded);
    // A stretch of text that a rule has read is hidden from those after it: "last saturday" is no
    // second, bare "saturday".
    StringBuilder rest = new StringBuilder(folded);
    for (TimeRules.Rule rule : TimeRules.ALL) {
      Matcher match = rule.pattern().matcher(rest.toString());
      while (match.find()) {
        rest.replace(match.start(), match.end(), "\0".repeat(match.end() - match.start()));
        boolean about = rule.spoken() && follows(folded, match.start());
        boolean event = about || (rule.spoken() && present);
        // "What did we say for Saturday" asks about a Saturday to come.
        TimeRange range = rule.reading().of(match, calendar, event ? Tense.FUTURE : tense);
        if (range == null) {
          continue;
        }
        boolean over = !range.end().isAfter(calendar.at());
        if (!event || (!about && over)) {
          return new Found(range, rule.spoken() ? Kind.SAID : Kind.STRETCH);
        }
        ofEvent = ofEvent == null ? new Found(range, Kind.EVENT) : ofEvent;
      }
    }
    return ofEvent;
  }

  private static boolean follows(String folded, int start) {
    return EVENT_BEFORE
        .matcher(folded.substring(Math.max(0, start - 24), start))
        .find();
  }
}
