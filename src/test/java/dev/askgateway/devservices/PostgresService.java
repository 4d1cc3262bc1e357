package dev.askgateway.devservices;

/** A PostgreSQL these services own or were given. */
interface PostgresService extends AutoCloseable {

  /** The login of an owner on the main database. */
  DatabaseUrl url();

  @Override
  void close();

  /**
   * A PostgreSQL of somebody else.
   *
   * @param url its address, as given
   */
  record Given(DatabaseUrl url) implements PostgresService {
    @Override
    public void close() {
      // It was running before we came and goes on.
    }
  }
}
