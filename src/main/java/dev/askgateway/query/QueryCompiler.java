package dev.askgateway.query;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Reads a question by tables alone: no model, no I/O, the same plan for the same words, moment and
 * zone. What the tables cannot represent is said in {@link QueryPlan#needsPlanner()} (spec E1, E2, E12,
 * E13).
 */
public final class QueryCompiler {

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
    boolean ranks = intent == Intent.PEOPLE_RANKING;
    QuestionTimes times = new QuestionTimes(folded, plans, at, zone);
    List<String> chats = ChatRules.chatNames(question);
    List<QueryPlan.Person> people = PersonRules.people(question, chats);
    return new QueryPlan(
        intent,
        times.range(),
        times.boundsMessages(),
        people,
        ranks ? Places.first(question) : null,
        plans ? IntentRules.planStatus(folded) : List.of(),
        ranks ? RankingRules.ranking(folded) : null,
        IntentRules.requestedAction(folded),
        ChatRules.platforms(folded),
        chats,
        Places.all(question),
        times.ambiguities(),
        PlannerRules.reason(folded, times.areSeveral(), people));
  }
}
