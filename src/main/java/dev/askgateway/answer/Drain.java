package dev.askgateway.answer;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import java.util.List;
import java.util.Set;

/**
 * Takes a model's stream to its end through the citation filter. One terminal: done or failed, and
 * neither after a cancel.
 */
final class Drain {
  private final Engine.Won won;
  private final TokenStream stream;
  private final CitationFilter filter;
  private final VisibleLinks links = new VisibleLinks();
  private final Output output;
  private final int maxChars;

  /** No tools were offered: a model that calls one all the same has said much and answered nothing. */
  private final Tally tally = new Tally(() -> {});

  private int shownChars;
  private boolean full;
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

  /** @param held whether the readers are behind already */
  void start(boolean held) {
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
        event.match(tally);
        if (event instanceof TokenEvent.Text text) {
          text(text.delta());
        }
      }
    });
    slow(held);
  }

  private void finish() {
    if (!over) {
      show(filter.end());
      over = true;
      output.done(full ? FinishReason.LENGTH : tally.reason(), this);
    }
  }

  private void text(String delta) {
    show(filter.accept(delta));
    if (full || shownChars >= maxChars) {
      full = true;
      stream.cancel();
      finish();
    }
  }

  private void show(List<CitationFilter.Piece> pieces) {
    StringBuilder text = new StringBuilder();
    for (CitationFilter.Piece piece : pieces) {
      if (piece.mark()) {
        flush(text);
        cite(piece.text(), text);
      } else {
        text.append(links.text(piece.text()));
      }
    }
    flush(text);
  }

  /** A mark is shown whole or not at all. */
  private void cite(String label, StringBuilder text) {
    String mark = "[" + label + "]";
    full |= shownChars + mark.length() > maxChars;
    if (!full) {
      output.cited(label);
      text.append(mark);
      links.mark();
    }
  }

  private void flush(StringBuilder text) {
    String shown = full ? "" : fitting(text);
    text.setLength(0);
    if (!shown.isEmpty()) {
      shownChars += shown.length();
      output.text(shown);
    }
  }

  private String fitting(StringBuilder text) {
    int room = maxChars - shownChars;
    if (text.length() <= room) {
      return text.toString();
    }
    full = true;
    boolean halves = room > 0 && Character.isHighSurrogate(text.charAt(room - 1));
    return text.substring(0, halves ? room - 1 : room);
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

  /** The call so far: what the provider reported, else an estimate of what it read and wrote. */
  Bill.Call call(long promptChars) {
    return new Bill.Call(won.provider(), won.model(), tally.usage(promptChars));
  }

  int marksDropped() {
    return filter.dropped();
  }
}
