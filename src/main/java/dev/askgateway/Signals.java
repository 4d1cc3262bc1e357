package dev.askgateway;

import dev.askgateway.answer.AnswerListener;
import dev.askgateway.answer.RequestSummary;
import dev.askgateway.answer.completion.CompletionListener;
import dev.askgateway.budget.OperatingCosts;
import dev.askgateway.budget.limit.Verdict;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import dev.askgateway.core.UserId;
import dev.askgateway.indexing.IndexingEvents;
import dev.askgateway.intake.admission.AdmissionListener;
import dev.askgateway.intake.admission.Reason;
import dev.askgateway.intake.ingest.IngestListener;
import dev.askgateway.intake.limit.LimitListener;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.retrieval.CachedQueries;
import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.telemetry.AdmissionMeters;
import dev.askgateway.telemetry.CompletionMeters;
import dev.askgateway.telemetry.GroundingMeters;
import dev.askgateway.telemetry.LimitMeters;
import dev.askgateway.telemetry.ModelMeters;
import dev.askgateway.telemetry.Telemetry;
import dev.askgateway.telemetry.Telemetry.Ingested;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the rooms report, as telemetry counts it. */
record Signals(Telemetry telemetry) {

  RelayListener relay() {
    return new RelayListener() {
      @Override
      public void opened() {
        telemetry.sseOpened();
      }

      @Override
      public void closed() {
        telemetry.sseClosed();
      }

      @Override
      public void givenUp() {
        telemetry.writeDeadlinePassed();
      }
    };
  }

  LimitListener limits() {
    return (scope, reason) -> telemetry
        .limits()
        .limited(
            switch (scope) {
              case ASK -> LimitMeters.Scope.ASK;
              case OTHER -> LimitMeters.Scope.OTHER;
              case ADDRESS -> LimitMeters.Scope.ADDRESS;
            },
            reason == Verdict.Outcome.CONCURRENCY
                ? LimitMeters.Reason.CONCURRENCY
                : LimitMeters.Reason.RATE);
  }

  AdmissionListener admission() {
    return new AdmissionListener() {
      @Override
      public void shed(Reason reason) {
        telemetry
            .admission()
            .shed(
                switch (reason) {
                  case OPEN -> AdmissionMeters.Reason.OPEN;
                  case LIMIT -> AdmissionMeters.Reason.LIMIT;
                  case IMPORT -> AdmissionMeters.Reason.IMPORT;
                  case LAG -> AdmissionMeters.Reason.LAG;
                  case DRAINING -> AdmissionMeters.Reason.DRAINING;
                });
      }

      @Override
      public void lagged(long nanos) {
        telemetry.admission().lagged(nanos);
      }
    };
  }

  /** @param costs where what messages' vectors cost is written down */
  IndexingEvents indexing(OperatingCosts costs) {
    return new IndexingEvents() {
      @Override
      public void embedded(UserId user, EmbeddingUse use) {
        long microUsd = costs.note(user, OperatingCosts.Feature.INDEXING, use);
        Signals.this.embedded(ModelMeters.Embedded.MESSAGES, use, microUsd);
      }

      @Override
      public void indexed(int texts) {
        telemetry.index().indexed(texts);
      }

      @Override
      public void failed(String code, boolean givenUp) {
        telemetry.index().failed();
      }

      @Override
      public void backlog(long persons) {
        telemetry.index().backlog(persons);
      }
    };
  }

  IngestListener ingest() {
    return new IngestListener() {
      @Override
      public void written(List<Outcome> outcomes) {
        outcomes.forEach(outcome -> telemetry.ingested(
            switch (outcome) {
              case NEW -> Ingested.NEW;
              case CHANGED -> Ingested.CHANGED;
              case UNCHANGED -> Ingested.UNCHANGED;
              case DELETED -> Ingested.DELETED;
            },
            1));
      }

      @Override
      public void rejected(long lines) {
        telemetry.ingested(Ingested.REJECTED, lines);
      }
    };
  }

  AnswerListener answers() {
    return new AnswerListener() {
      @Override
      public void started() {
        telemetry.answerStarted();
      }

      @Override
      public void firstText(Duration sinceRequest) {
        telemetry.firstText(sinceRequest);
      }

      @Override
      public void firstStatus(Duration sinceRequest) {
        telemetry.firstStatus(sinceRequest);
      }

      @Override
      public void planned(QueryPlan.Reason reason, PlannerOutcome outcome) {
        telemetry.grounding().planned(reason, outcome);
      }

      @Override
      public void embedded(EmbeddingUse use, long costMicroUsd) {
        Signals.this.embedded(ModelMeters.Embedded.QUESTION, use, costMicroUsd);
      }

      @Override
      public void retrieved(int windows) {
        telemetry.retrieved(windows);
      }

      @Override
      public void routed(Route route, boolean found) {
        telemetry.grounding().routed(route, found);
      }

      @Override
      public AttemptListener attempts(UUID requestId) {
        return new AttemptSignals(telemetry.models(), requestId);
      }

      @Override
      public void attempted(String provider, GatewayError.@Nullable Code code) {
        telemetry.models().attempted(provider, code);
      }

      @Override
      public void marksDropped(int count) {
        telemetry.grounding().marksDropped(count);
      }

      @Override
      public void cited(int sources) {
        telemetry.grounding().cited(sources);
      }

      @Override
      public void degraded(String leg) {
        telemetry.legFailed("vector".equals(leg) ? Telemetry.Leg.VECTOR : Telemetry.Leg.LEXICAL);
      }

      @Override
      public void ended(AnswerEvent.Ended end, Duration sinceRequest) {
        telemetry.answerEnded(end.state(), code(end), sinceRequest);
        spent(end);
      }

      @Override
      public void summed(RequestSummary summary) {
        new RequestSignals(telemetry).ended(summary);
      }

      @Override
      public void logFailed() {
        telemetry.redisDegraded(true);
      }
    };
  }

  CompletionListener completions() {
    return new CompletionListener() {
      @Override
      public void started(Kind kind) {
        telemetry.completions().started(metered(kind));
      }

      @Override
      public void firstOutput(Duration sinceRequest) {
        telemetry.completions().firstOutput(sinceRequest);
      }

      @Override
      public AttemptListener attempts(UUID requestId) {
        return new AttemptSignals(telemetry.models(), requestId);
      }

      @Override
      public void attempted(String provider, GatewayError.@Nullable Code code) {
        telemetry.models().attempted(provider, code);
      }

      @Override
      public void embedded(
          UUID requestId, EmbeddingModel model, @Nullable Throwable failure, Duration took) {
        new AttemptSignals(telemetry.models(), requestId).embedded(model, failure, took);
      }

      @Override
      public void ended(Kind kind, AnswerEvent.Ended end, Duration sinceRequest) {
        telemetry.completions().ended(metered(kind), end.state(), code(end), sinceRequest);
        spent(end);
      }

      @Override
      public void summed(RequestSummary summary) {
        new RequestSignals(telemetry).ended(summary);
      }
    };
  }

  void embedded(ModelMeters.Embedded what, EmbeddingUse use, long microUsd) {
    telemetry.models().embedded(use.provider(), what, use.usage(), microUsd);
  }

  void looked(CachedQueries.Look look) {
    telemetry
        .grounding()
        .queryLooked(
            switch (look) {
              case HIT -> GroundingMeters.QueryCache.HIT;
              case MISS -> GroundingMeters.QueryCache.MISS;
              case UNAVAILABLE -> GroundingMeters.QueryCache.UNAVAILABLE;
            });
  }

  private static CompletionMeters.Kind metered(CompletionListener.Kind kind) {
    return switch (kind) {
      case CHAT -> CompletionMeters.Kind.CHAT;
      case EMBEDDING -> CompletionMeters.Kind.EMBEDDING;
    };
  }

  private static GatewayError.@Nullable Code code(AnswerEvent.Ended end) {
    return end.error() == null ? null : end.error().code();
  }

  private void spent(AnswerEvent.Ended end) {
    telemetry.models().tokens(end.provider(), end.usage());
    telemetry.models().cost(end.provider(), end.costMicroUsd());
  }
}
