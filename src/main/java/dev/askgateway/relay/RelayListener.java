package dev.askgateway.relay;

/** What the relay counts: telemetry behind plain methods. */
public interface RelayListener {

  /** Counts nothing. */
  RelayListener NONE = new RelayListener() {
    @Override
    public void opened() {}

    @Override
    public void closed() {}

    @Override
    public void givenUp() {}
  };

  /** An event stream's head went out. */
  void opened();

  /** It is over, whichever way. */
  void closed();

  /** A reader did not drain within the write deadline. */
  void givenUp();
}
