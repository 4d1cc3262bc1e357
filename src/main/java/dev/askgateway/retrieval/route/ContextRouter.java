package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import dev.askgateway.core.Routing;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.Search;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.NameRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.ZonedDateTime;
import java.util.EnumMap;
import java.util.Map;

/**
 * Finds the evidence of a question on the one route that fits it (spec E). Deterministic and without a
 * model; what no table claims for sure goes the way of all others, by words and meaning.
 */
public final class ContextRouter {
  private final TextWork texts;
  private final NameLookup names;
  private final RetrievalConfig config;
  private final Map<Route, RouteSearch> routes = new EnumMap<>(Route.class);

  /**
   * @param vertx whose workers read long questions and the messages that a route judges
   * @param retriever the ranking that routes rest on
   */
  public ContextRouter(
      Vertx vertx,
      NameRepository names,
      ContextRepository context,
      Retriever retriever,
      RetrievalConfig config) {
    this.texts = new TextWork(vertx);
    this.names = new NameLookup(names, config.groups());
    this.config = config;
    Recall recall = new Recall(retriever, texts, Search.SPREAD);
    routes.put(Route.CATCH_UP, new CatchUp(context, retriever, config));
    routes.put(Route.OPEN_LOOPS, new OpenLoops(context, retriever, texts, config));
    routes.put(Route.DATED_PLANS, new DatedPlans(context, retriever, texts, config));
    routes.put(Route.PEOPLE, new People(context, retriever));
    routes.put(Route.TONE, new Tone(context, retriever, config));
    routes.put(Route.DESCRIBED_PERSON, new Recall(retriever, texts, 1));
    routes.put(Route.FILTERED, recall);
    routes.put(Route.RECALL, recall);
  }

  /**
   * Searches one person's messages.
   *
   * @param at the moment of the request, in the account's zone
   * @param span of the request, under which each step is traced
   * @return the route and what it found, an empty pack when nothing is over the route's floor; a failure
   *     when no leg could answer
   */
  public Future<Routed> retrieve(
      UserId user, String question, QueryPlan plan, ZonedDateTime at, Scope scope, Span span) {
    return span.around(SpanName.CONTEXT_ROUTE, step -> texts
            .of(question.length(), () -> NameLookup.named(question, plan, scope))
            .compose(named -> names.of(user, named, scope))
            .compose(known -> texts.of(question.length(), () -> {
              Ask ask = new Ask(user, question, plan, at, scope, known, config.groups(), span);
              return new Chosen(ask, RouteChoice.of(ask));
            }))
            .map(chosen -> {
              step.set(SpanKey.ROUTE, chosen.route());
              return chosen;
            }))
        .compose(chosen -> search(chosen.route())
            .find(chosen.ask())
            .map(found -> new Routed(
                new Routing(plan, chosen.route(), chosen.ask().names().open()), found)));
  }

  private record Chosen(Ask ask, Route route) {}

  private RouteSearch search(Route route) {
    RouteSearch search = routes.get(route);
    if (search == null) {
      throw new IllegalStateException("a route without a search");
    }
    return search;
  }
}
