package dev.askgateway.intake.edge;

import dev.askgateway.answer.completion.EmbeddingRun;
import dev.askgateway.intake.admission.Ticket;
import dev.askgateway.relay.edge.EdgeErrors;
import io.vertx.core.http.HttpServerResponse;

/** A call for vectors whose ticket hears how far it is. */
record AdmittedEmbedding(HttpServerResponse response, Ticket ticket) implements EmbeddingRun.Asker {

  @Override
  public void replayed() {
    asked();
    EdgeErrors.markReplayed(response);
  }

  @Override
  public void dayWarned() {
    EdgeErrors.markDayWarned(response);
  }

  @Override
  public void asked() {
    ticket.begun();
    ticket.started();
  }
}
