package dev.askgateway.provider.gate;

import dev.askgateway.core.TokenEvent;

/** Tells a model's output from what only goes with it, and answers whether an event was output. */
final class Sorting implements TokenEvent.Cases<Boolean> {

  /** Gets the events, sorted. */
  interface Taker {

    /**
     * Output of the model: it alone resets the stall clock.
     *
     * @param length characters
     * @param shown whether it may be the first thing that is shown
     */
    void content(TokenEvent event, int length, boolean shown);

    /** What shows nothing by itself, so many bytes long. */
    void aside(TokenEvent event, int length);

    void usage(TokenEvent.Metered event);
  }

  private final boolean anyOutput;
  private final Taker taker;

  Sorting(Plan.Commit commit, Taker taker) {
    this.anyOutput = commit == Plan.Commit.ANY_OUTPUT;
    this.taker = taker;
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    return content(event, event.delta().length(), true);
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    return content(event, event.delta().length(), anyOutput);
  }

  @Override
  public Boolean toolCall(TokenEvent.ToolCall event) {
    int length = event.id().length()
        + event.name().length()
        + event.arguments().length()
        + event.signature().length();
    return content(event, length, anyOutput);
  }

  @Override
  public Boolean chunk(TokenEvent.Chunk event) {
    int chars = event.textChars() + event.otherChars();
    if (chars == 0) {
      return aside(event, event.json().length());
    }
    return content(event, chars, anyOutput || event.textChars() > 0);
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    taker.usage(event);
    return false;
  }

  @Override
  public Boolean finished(TokenEvent.Finished event) {
    return aside(event, 0);
  }

  private Boolean content(TokenEvent event, int length, boolean shown) {
    if (length == 0) {
      return aside(event, 0); // an empty delta is no sign of life
    }
    taker.content(event, length, shown);
    return true;
  }

  private Boolean aside(TokenEvent event, int length) {
    taker.aside(event, length);
    return false;
  }
}
