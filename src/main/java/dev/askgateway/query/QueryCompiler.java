package dev.askgateway.query;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.query.time.TimeReader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    String limiting = Sentences.limiting(folded);
    QuestionTimes bounds = new QuestionTimes(limiting, plans, at, zone);
    QuestionTimes times = bounds.boundsMessages() || limiting.equals(folded)
        ? bounds
        : new QuestionTimes(folded, plans, at, zone);
    List<String> chats = ChatRules.chatNames(question);
    List<QueryPlan.Person> people = PersonRules.people(question, chats);
    QueryPlan plan = new QueryPlan(
        intent,
        times.range(),
        bounds.boundsMessages(),
        people,
        ranks ? Places.first(question) : null,
        plans ? IntentRules.planStatus(folded) : List.of(),
        ranks ? RankingRules.ranking(folded) : null,
        IntentRules.requestedAction(folded),
        ChatRules.platforms(limiting),
        chats,
        Places.all(question),
        times.ambiguities(),
        PlannerRules.reason(folded, times.areSeveral(), people));
    return plan.filtersMessages() && times.isToldLater() && hasTopic(question, plan)
        ? plan.withoutMessageFilter()
        : plan;
  }

  /** Whether anything is asked for beside a time and people: without, the time is all there is to go by. */
  private static boolean hasTopic(String question, QueryPlan plan) {
    Set<String> names = plan.people().stream()
        .flatMap(person -> FoldedText.words(FoldedText.of(person.name())).stream())
        .collect(Collectors.toSet());
    return !LexicalQuery.of(question, plan, names).isEmpty();
  }

  /**
   * Whether {@link #compile} says at any moment and in any zone that the question needs a planner: the
   * money for it is held before either is known.
   */
  public boolean mayNeedPlanner(String question) {
    String folded = FoldedText.of(question);
    boolean times =
        new TimeReader(Instant.EPOCH, ZoneOffset.UTC, false).read(folded).size() > 1;
    List<QueryPlan.Person> people = PersonRules.people(question, ChatRules.chatNames(question));
    return PlannerRules.reason(folded, times, people) != null;
  }

  /**
   * A compiled plan with what a model's proposal for it may say: filters that are narrower, times within
   * those that the question names, descriptions in the question's own words. Chat ids, the requested
   * action and its approval stay as they were compiled.
   *
   * @param proposal the model's whole answer, by {@link Proposal#schema()}; members nobody knows are dropped
   * @param compiled of the same question, moment and zone
   * @return empty when it is no proposal: the compiled plan has to do
   */
  public Optional<QueryPlan> refined(
      QueryPlan compiled, String proposal, String question, Instant at, ZoneId zone) {
    return Proposal.read(proposal)
        .map(read -> new Refinement(read, question, compiled, at, zone).plan());
  }
}
