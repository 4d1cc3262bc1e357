package dev.askgateway.simulation;

import dev.askgateway.answer.Bill;
import dev.askgateway.answer.Engine;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Routing;
import dev.askgateway.core.Scope;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Models;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;

/** Finds one message whatever is asked, and has models answer through the gate: the question is the prompt. */
record PlainEngine(Life life, FailoverGate gate) implements Engine {
  private static final UUID ID = new UUID(7, 7);
  private static final EvidencePack FOUND = new EvidencePack(
      List.of(new EvidenceWindow(
          "S1",
          ID,
          ID,
          "Ana",
          "whatsapp",
          false,
          false,
          List.of(new EvidenceMessage(
              ID, "1", "Ana", false, Instant.EPOCH, "Dinner at 8?", true, null)))),
      List.of());

  @Override
  public Future<Route> route(UserId user, String profile, String question) {
    return Future.succeededFuture(new Asked(life, gate, question, life.plan(Plan.Commit.TEXT)));
  }

  @Override
  public Bill.Prices prices(String priceBook) {
    return Upstream.BOOK::costMicroUsd;
  }

  private record Asked(Life life, FailoverGate gate, String question, Plan plan) implements Route {
    @Override
    public String priceBook() {
      return Upstream.BOOK.version();
    }

    @Override
    public long costMicroUsd(String provider, String model, Usage usage) {
      return Upstream.BOOK.costMicroUsd(provider, model, usage);
    }

    @Override
    public long worstCaseMicroUsd() {
      return Models.worstCaseMicroUsd(
          Upstream.BOOK, plan, question.length(), Life.MOST_OUTPUT_TOKENS);
    }

    @Override
    public Future<Planning> plan(Instant at, ZoneId zone, Listener listener) {
      return Future.succeededFuture(Planning.of(new Resolved(QueryPlan.plain(), null)));
    }

    @Override
    public Future<Evidence> retrieve(
        QueryPlan by, ZonedDateTime at, Scope scope, Span span, Listener listener) {
      return Future.succeededFuture(
          new Evidence(new Routing(by, dev.askgateway.core.Route.RECALL, List.of()), FOUND));
    }

    /** Its questions have no vectors. */
    @Override
    public long embeddingMicroUsd(EmbeddingUse use) {
      return 0;
    }

    @Override
    public Future<Prompt> prompt(
        QueryPlan ignored, Instant at, ZoneId zone, List<RecentTurn> recent, EvidencePack pack) {
      return Future.succeededFuture(new Prompt(
          "simulated",
          List.of(new Prompt.Message(Prompt.Role.USER, question)),
          question,
          zone,
          pack.windows(),
          Life.MOST_OUTPUT_TOKENS,
          0));
    }

    @Override
    public Generation generate(Prompt prompt, Listener listener) {
      FailoverGate.Run run = gate.start(ModelRequest.of(prompt), plan, new Told(listener));
      return new Generation() {
        @Override
        public Future<Won> won() {
          return run.committed()
              .map(won ->
                  new Won(won.stream(), won.provider().name(), won.provider().model()));
        }

        @Override
        public void cancel() {
          run.cancel();
        }
      };
    }
  }

  private record Told(Listener listener) implements AttemptListener {
    @Override
    public void started(Attempt attempt) {
      listener.attempt(attempt.provider().name(), attempt.provider().model());
    }

    @Override
    public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
      listener.attemptFailed(
          attempt.provider().name(), attempt.provider().model(), error.code(), spent);
    }
  }
}
