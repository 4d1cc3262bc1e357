package dev.askgateway;

import dev.askgateway.answer.AnswerListener;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import dev.askgateway.indexing.IndexingEvents;
import dev.askgateway.intake.ingest.IngestListener;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.telemetry.Telemetry;
import dev.askgateway.telemetry.Telemetry.Ingested;
import java.time.Duration;
import java.util.List;
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

  IndexingEvents indexing() {
    return new IndexingEvents() {
      @Override
      public void indexed(int texts) {
        telemetry.indexed(texts);
      }

      @Override
      public void failed(String code, boolean givenUp) {
        telemetry.indexingFailed();
      }

      @Override
      public void backlog(long persons) {
        telemetry.indexQueue(persons);
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
      public void retrieved(int windows) {
        telemetry.retrieved(windows);
      }

      @Override
      public void attempted(String provider, GatewayError.@Nullable Code code) {
        telemetry.providerAttempt(provider, code);
      }

      @Override
      public void marksDropped(int count) {
        telemetry.citationMarksDropped(count);
      }

      @Override
      public void degraded(String leg) {
        telemetry.legFailed("vector".equals(leg) ? Telemetry.Leg.VECTOR : Telemetry.Leg.LEXICAL);
      }

      @Override
      public void ended(AnswerEvent.Ended end, Duration sinceRequest) {
        telemetry.answerEnded(
            end.state(), end.error() == null ? null : end.error().code(), sinceRequest);
        telemetry.tokens(end.provider(), end.usage());
        telemetry.cost(end.provider(), end.costMicroUsd());
      }

      @Override
      public void logFailed() {
        telemetry.redisDegraded(true);
      }
    };
  }
}
