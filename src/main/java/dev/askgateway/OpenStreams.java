package dev.askgateway;

import dev.askgateway.relay.RelayListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the streams that are open. */
record OpenStreams(RelayListener then, AtomicInteger count) implements RelayListener {
  OpenStreams(RelayListener then) {
    this(then, new AtomicInteger());
  }

  int open() {
    return count.get();
  }

  @Override
  public void opened() {
    count.incrementAndGet();
    then.opened();
  }

  @Override
  public void closed() {
    count.decrementAndGet();
    then.closed();
  }

  @Override
  public void givenUp() {
    then.givenUp();
  }
}
