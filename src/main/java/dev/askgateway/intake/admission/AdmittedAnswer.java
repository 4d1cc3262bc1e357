package dev.askgateway.intake.admission;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;

/** A reader of an answer whose ticket hears how far the answer is. */
public final class AdmittedAnswer implements AnswerSink {
  private final AnswerSink reader;
  private final Ticket ticket;

  public AdmittedAnswer(AnswerSink reader, Ticket ticket) {
    this.reader = reader;
    this.ticket = ticket;
  }

  @Override
  public void write(AnswerEvent event) {
    if (event instanceof AnswerEvent.Opened) {
      ticket.begun();
    } else if (event instanceof AnswerEvent.Phase) {
      ticket.seen();
    } else if (event instanceof AnswerEvent.ModelCalled
        || event instanceof AnswerEvent.TextStarted) {
      ticket.started();
    } else if (event instanceof AnswerEvent.Ended) {
      ticket.over();
    }
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
}
