package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.Route;
import dev.askgateway.query.FoldedText;
import dev.askgateway.query.QuestionShape;
import java.util.HashSet;
import java.util.Set;

/**
 * Picks the route. Careful: a shape alone decides nothing where the question has a topic besides, since
 * "what did I promise Greta to pay" is answered by its words rather than by a list of promises.
 */
final class RouteChoice {
  private static final Set<String> CATCH_UP = Set.copyOf(FoldedText.words("""
      summarise summarize summary recap catch up miss missed new news happening important latest since
      resume resumen resumir resumeme dia perdi perdido ponme novedades entero whole conversation everything
      """));
  private static final Set<String> PLANS = Set.copyOf(FoldedText.words("""
      plan plans planned planning meet meets meeting meetings calendar appointment appointments hang hanging
      out link up upcoming coming scheduled schedule confirmed agree agreed arrange arranged quedar quedamos
      quedado vernos planes cita citas reunion reuniones cosas agenda birthday birthdays cumpleanos
      """));
  private static final Set<String> PEOPLE = Set.copyOf(FoldedText.words("""
      talk talks text chat speak write message top out know relationship contact people hablo escribo
      """));

  private RouteChoice() {}

  static Route of(Ask ask) {
    QueryPlan plan = ask.plan();
    if (QuestionShape.isCatchUp(ask.question()) && !ask.hasTopic(CATCH_UP)) {
      return Route.CATCH_UP;
    }
    if (!LoopShape.kinds(ask.question()).isEmpty() && !ask.hasTopic(LoopShape.WORDS)) {
      return Route.OPEN_LOOPS;
    }
    if (ranksPeople(ask)) {
      return Route.PEOPLE;
    }
    if (asksForPlans(ask)) {
      return Route.DATED_PLANS;
    }
    if (ToneShape.asksFor(ask.question())
        && (ask.scope().isStrict() || !Tone.chats(ask).isEmpty())
        && !ask.hasTopic(ToneShape.WORDS)) {
      return Route.TONE;
    }
    if (plan.intent() == Intent.IDENTITY_LOOKUP && isDescribed(plan)) {
      return Route.DESCRIBED_PERSON;
    }
    return ask.isFiltered() ? Route.FILTERED : Route.RECALL;
  }

  /** Closest, most frequent or latest people, or who is at a place. In one chat there is nobody to rank. */
  private static boolean ranksPeople(Ask ask) {
    QueryPlan plan = ask.plan();
    if (plan.intent() != Intent.PEOPLE_RANKING
        || (plan.ranking() == null && plan.location() == null)
        || ask.scope().isStrict()) {
      return false;
    }
    Set<String> asked = new HashSet<>(PEOPLE);
    plan.places().forEach(place -> asked.addAll(FoldedText.words(FoldedText.of(place.wording()))));
    return !ask.hasTopic(asked);
  }

  /** On a day of theirs, whatever the topic; or all that are to come, where there is no topic. */
  private static boolean asksForPlans(Ask ask) {
    QueryPlan plan = ask.plan();
    return plan.intent() == Intent.PLAN_RECALL
        && !plan.filtersMessages()
        && (plan.timeRange() != null || !ask.hasTopic(PLANS));
  }

  private static boolean isDescribed(QueryPlan plan) {
    return plan.people().stream().anyMatch(person -> !person.descriptors().isEmpty());
  }
}
