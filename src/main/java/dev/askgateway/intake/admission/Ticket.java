package dev.askgateway.intake.admission;

/**
 * A request that was let in tells how far it is. Lives on the event loop that let it in; telling it again
 * what it was told changes nothing.
 */
public interface Ticket {
  /** Of a request that makes no new work. */
  Ticket FREE = new Ticket() {
    @Override
    public void begun() {
      // it was before
    }

    @Override
    public void seen() {
      // nothing is measured
    }

    @Override
    public void started() {
      // nothing is measured
    }

    @Override
    public void over() {
      // it takes no place
    }
  };

  /** The request is kept under its id: from now on, sent again, it is known. */
  void begun();

  /** The client can see that something happens. */
  void seen();

  /** The model is asked: from here on the wait is the model's. */
  void started();

  /** Nobody waits for anything any more. Has to be called some time. */
  void over();
}
