package dev.askgateway.devservices;

/** A Redis these services own or were given. */
interface RedisService extends AutoCloseable {

  /** Returns {@code redis://host:port}; the same before and after a stop. */
  String url();

  /** Ends the server so that connections are refused. */
  void stop();

  /** Starts it again, empty, on the same port, and returns when it answers. */
  void start();

  @Override
  void close();

  /**
   * A Redis of somebody else.
   *
   * @param url its address, as given
   */
  record Given(String url) implements RedisService {
    @Override
    public void stop() {
      throw new IllegalStateException("the Redis of REDIS_URL is not ours to stop");
    }

    @Override
    public void start() {
      throw new IllegalStateException("the Redis of REDIS_URL is not ours to start");
    }

    @Override
    public void close() {
      // It was running before we came and goes on.
    }
  }
}
