package dev.askgateway.answer;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a model's stream to its end through the citation filter. One terminal: done or failed, and
 * neither after a cancel.
 */
final class Drain implements TokenEvent.Cases<Boolean> {
  private final Engine.Won won;
  private final TokenStream stream;
  private final CitationFilter filter;
  private final Output output;
  private final int maxChars;
  private @Nullable Usage metered;
  private FinishReason reason = FinishReason.OTHER;
  private long generatedChars;
  private int shownChars;
  private boolean over;

  /** Where the text goes. */
  interface Output {
    void text(String text);

    /** Called just before the text that holds the mark. */
    void cited(String label);

    void done(FinishReason reason, Drain finished);

    void failed(Throwable cause);
  }

  Drain(Engine.Won won, Set<String> labels, int maxChars, Output output) {
    this.won = won;
    this.stream = won.stream();
    this.filter = new CitationFilter(labels);
    this.maxChars = maxChars;
    this.output = output;
  }

  void start() {
    stream.exceptionHandler(cause -> {
      if (!over) {
        show(filter.end());
        over = true;
        output.failed(cause);
      }
    });
    stream.endHandler(ended -> finish());
    stream.handler(event -> {
      if (!over) {
        event.match(this);
      }
    });
    stream.resume();
  }

  private void finish() {
    if (!over) {
      show(filter.end());
      over = true;
      output.done(reason, this);
    }
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    generatedChars += event.delta().length();
    show(filter.accept(event.delta()));
    if (shownChars >= maxChars) {
      reason = FinishReason.LENGTH;
      stream.cancel();
      finish();
    }
    return true;
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    generatedChars += event.delta().length();
    return true;
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    metered = event.usage();
    return true;
  }

  @Override
  public Boolean finished(TokenEvent.Finished event) {
    reason = event.reason();
    return true;
  }

  private void show(java.util.List<CitationFilter.Piece> pieces) {
    StringBuilder text = new StringBuilder();
    for (CitationFilter.Piece piece : pieces) {
      if (piece.mark()) {
        flush(text);
        output.cited(piece.text());
        text.append('[').append(piece.text()).append(']');
      } else {
        text.append(piece.text());
      }
    }
    flush(text);
  }

  private void flush(StringBuilder text) {
    if (!text.isEmpty()) {
      shownChars += text.length();
      output.text(text.toString());
      text.setLength(0);
    }
  }

  /** Stops the model; nothing is called after it. */
  void cancel() {
    over = true;
    stream.cancel();
  }

  /** Holds the model back while every reader is behind. */
  void slow(boolean slow) {
    if (over) {
      return;
    }
    if (slow) {
      stream.pause();
    } else {
      stream.resume();
    }
  }

  /** What the provider reported, else an estimate of what it read and wrote. */
  Usage usage(long promptChars) {
    return metered != null ? metered : Usage.estimate(promptChars, generatedChars);
  }

  int marksDropped() {
    return filter.dropped();
  }

  String provider() {
    return won.provider();
  }

  String model() {
    return won.model();
  }
}
