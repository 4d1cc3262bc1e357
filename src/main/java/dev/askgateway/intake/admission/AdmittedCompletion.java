package dev.askgateway.intake.admission;

import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;

/** A reader of a completion whose ticket hears how far the completion is. */
public final class AdmittedCompletion implements CompletionSink {
  private final CompletionSink reader;
  private final Ticket ticket;

  public AdmittedCompletion(CompletionSink reader, Ticket ticket) {
    this.reader = reader;
    this.ticket = ticket;
  }

  @Override
  public void asked() {
    ticket.begun();
    ticket.started();
    reader.asked();
  }

  @Override
  public void replayed(long createdSeconds) {
    ticket.begun();
    ticket.started();
    reader.replayed(createdSeconds);
  }

  @Override
  public void dayWarned() {
    reader.dayWarned();
  }

  @Override
  public void write(TokenEvent event) {
    reader.write(event);
  }

  @Override
  public boolean full() {
    return reader.full();
  }

  @Override
  public void drainHandler(Runnable handler) {
    reader.drainHandler(handler);
  }

  @Override
  public void closeHandler(Runnable handler) {
    reader.closeHandler(() -> {
      ticket.over();
      handler.run();
    });
  }

  @Override
  public void end(Usage usage) {
    ticket.over();
    reader.end(usage);
  }

  @Override
  public void fail(Throwable failure) {
    ticket.over();
    reader.fail(failure);
  }
}
