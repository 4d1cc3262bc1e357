package dev.askgateway.indexing;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.UserId;

/** What an operator wants counted. Called on the indexer's event loop; must not block. */
public interface IndexingEvents {

  /** Nobody listens. */
  IndexingEvents NONE = new IndexingEvents() {
    @Override
    public void indexed(int texts) {}

    @Override
    public void failed(String code, boolean givenUp) {}

    @Override
    public void backlog(long persons) {}
  };

  /** Most persons that {@link #backlog} counts. */
  int BACKLOG_LIMIT = 10_000;

  /** A person's part of what one embedding call used, whatever became of the call. */
  default void embedded(UserId user, EmbeddingUse use) {}

  /** So many vectors were stored. */
  void indexed(int texts);

  /**
   * A text, or a person's whole job, failed once.
   *
   * @param code a stable code
   * @param givenUp whether it is not tried again by itself
   */
  void failed(String code, boolean givenUp);

  /** Persons with work to do, over all nodes, counted up to {@link #BACKLOG_LIMIT}. */
  void backlog(long persons);
}
