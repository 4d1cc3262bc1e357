package dev.askgateway.relay.edge;

/**
 * What every chunk and the whole answer say of themselves.
 *
 * @param id "chatcmpl-..."
 * @param created in seconds since 1970
 * @param model the name that was asked for
 */
public record Answering(String id, long created, String model) {
  Answering at(long seconds) {
    return new Answering(id, seconds, model);
  }
}
