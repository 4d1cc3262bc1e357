package dev.askgateway.core.trace;

/** Where the spans of requests hang. Shared by all event loops. */
@FunctionalInterface
public interface Traces {
  /** Nobody traces. */
  Traces OFF = () -> Span.NONE;

  /**
   * The span of the HTTP request that the calling event loop is handling, which ends by itself with the
   * response; {@link Span#NONE} for one that is not traced. To be asked before anything is waited for.
   */
  Span current();
}
