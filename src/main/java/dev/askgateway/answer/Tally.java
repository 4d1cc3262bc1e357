package dev.askgateway.answer;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import org.jspecify.annotations.Nullable;

/** What a model has said so far, counted: how much, how it ended, and what it says it used. */
public final class Tally implements TokenEvent.Cases<Boolean> {
  private final Runnable firstOutput;
  private @Nullable Usage reported;
  private FinishReason reason = FinishReason.OTHER;
  private long chars;
  private long bytes;
  private boolean shown;

  /** @param firstOutput called once, with the first output of any kind */
  public Tally(Runnable firstOutput) {
    this.firstOutput = firstOutput;
  }

  /** Characters, or bytes of chunks, whichever are more. */
  public long length() {
    return Math.max(chars, bytes);
  }

  /** Whether there was any output. */
  public boolean shown() {
    return shown;
  }

  /** As the model told it; OTHER until then. */
  public FinishReason reason() {
    return reason;
  }

  /** By the model's report, else estimated of an input of so many characters and what was said. */
  public Usage usage(long inputChars) {
    return reported != null
        ? reported.withOutputAtLeast(Usage.tokens(chars))
        : Usage.estimate(inputChars, chars);
  }

  private Boolean output(long more) {
    chars += more;
    if (!shown && more > 0) {
      shown = true;
      firstOutput.run();
    }
    return true;
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    return output(event.delta().length());
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    return output(event.delta().length());
  }

  @Override
  public Boolean toolCall(TokenEvent.ToolCall event) {
    return output(event.name().length() + event.arguments().length());
  }

  @Override
  public Boolean chunk(TokenEvent.Chunk event) {
    bytes += event.json().length();
    return output(event.textChars() + event.otherChars());
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    reported = event.usage();
    return true;
  }

  @Override
  public Boolean finished(TokenEvent.Finished event) {
    reason = event.reason();
    return true;
  }
}
