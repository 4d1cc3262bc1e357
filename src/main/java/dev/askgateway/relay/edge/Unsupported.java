package dev.askgateway.relay.edge;

/** A request that OpenAI would take and this gateway does not: status 400 with a code of its own. */
public final class Unsupported extends RuntimeException {
  private final String param;

  /**
   * A refusal.
   *
   * @param param path of the member, "messages.0.content"
   * @param message a safe sentence for the client
   */
  public Unsupported(String param, String message) {
    super(message, null, false, false); // an expected outcome: no stack trace to fill in
    this.param = param;
  }

  public String param() {
    return param;
  }
}
