package dev.askgateway.core;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** New ids of requests that bring none. */
public final class FreshId {
  private FreshId() {}

  /**
   * Version 7 of RFC 9562: begins with the time, so that rows written together lie together in an index.
   * Not a secret, so the rest need not come from where secrets do, which has a lock.
   */
  public static UUID next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = (System.currentTimeMillis() << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
