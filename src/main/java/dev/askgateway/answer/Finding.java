package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Citation;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Scope;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The first half of an answer: what its question is searched by and what that found, and how both are
 * shown. On the run's loop.
 */
final class Finding {
  private final AnswerListener listener;
  private final Question question;
  private final Attempts calls;
  private final Progress progress;
  private Engine.@Nullable Planning planning;
  private QueryPlan plan = QueryPlan.plain();

  /** The plan as it is shown and stored, with the route it took and the planner's outcome. */
  private JsonObject told = new JsonObject();

  private EvidencePack pack = EvidencePack.NONE;
  private boolean stopped;

  /**
   * @param calls hears of the calls that may be made for the plan and for the question's vector
   * @param progress is told what was found
   */
  Finding(AnswerListener listener, Question question, Attempts calls, Progress progress) {
    this.listener = listener;
    this.question = question;
    this.calls = calls;
    this.progress = progress;
  }

  /** Plans and searches, once; fails when no leg could answer. */
  Future<EvidencePack> find() {
    return question.span().around(SpanName.CONTEXT_PLAN, this::plan).compose(this::search);
  }

  private Future<Engine.Resolved> plan(Span step) {
    return question
        .route()
        .plan(question.at(), question.zone(), calls.planning(step))
        .compose(started -> {
          planning = started;
          if (stopped) {
            started.cancel();
          }
          return started.resolved();
        })
        .onSuccess(resolved -> {
          if (resolved.planner() != null) {
            step.set(SpanKey.PLANNER, resolved.planner());
          }
        });
  }

  private Future<EvidencePack> search(Engine.Resolved resolved) {
    plan = resolved.plan();
    QueryPlan.Reason reason = plan.needsPlanner();
    if (reason != null && resolved.planner() != null) {
      listener.planned(reason, resolved.planner());
    }
    return stopped
        ? Future.failedFuture(
            new GatewayError(GatewayError.Code.CANCELLED, "It ended while it was planned."))
        : question
            .route()
            .retrieve(
                plan,
                question.at().atZone(question.zone()),
                question.scope(),
                question.span(),
                calls)
            .map(found -> found(resolved, found));
  }

  private EvidencePack found(Engine.Resolved resolved, Engine.Evidence found) {
    if (!stopped) {
      pack = found.pack();
      told = resolved.told(found.routing().toJson());
      if (question.route().isPlain()) {
        told.put("models", "off");
      }
      pack.degraded().forEach(listener::degraded);
      progress.found(found.routing().route(), pack.windows().size());
      listener.retrieved(pack.windows().size());
      listener.routed(found.routing().route(), !pack.isEmpty());
      question
          .span()
          .set(SpanKey.ROUTE, found.routing().route())
          .set(SpanKey.WINDOWS, pack.windows().size());
    }
    return pack;
  }

  /** Nothing is looked for any more. */
  void stop() {
    stopped = true;
    if (planning != null) {
      planning.cancel();
    }
  }

  /** The call that was made for the plan, or null. */
  Bill.@Nullable Call planningCall() {
    return planning == null ? null : planning.call();
  }

  QueryPlan plan() {
    return plan;
  }

  EvidencePack pack() {
    return pack;
  }

  /** How many pieces of evidence lie outside of a strict scope: none may. */
  long outsideOfScope() {
    Scope scope = question.scope();
    return pack.windows().stream()
        .filter(window -> scope.isStrict() && !scope.chatIds().contains(window.chatId()))
        .count();
  }

  Set<String> labels() {
    return pack.windows().stream().map(EvidenceWindow::label).collect(Collectors.toSet());
  }

  List<Citation> all() {
    return pack.windows().stream().map(this::citation).toList();
  }

  /** The source of that label, if the pack has it. */
  Optional<Citation> citation(String label) {
    return pack.find(label).map(this::citation);
  }

  private Citation citation(EvidenceWindow window) {
    return Citation.of(window, question.scope().kind() != Scope.Kind.GLOBAL);
  }

  AnswerEvent.Sources sources(List<Citation> citations) {
    return new AnswerEvent.Sources(citations, question.begun().indexStatus(), told);
  }
}
