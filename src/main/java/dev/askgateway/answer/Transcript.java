package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Citation;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the events of an answer so far amount to: the text that was shown, the citations that stand,
 * the model that was called. Read off the events themselves, so that what is stored is what was shown.
 */
final class Transcript {
  private final StringBuilder text = new StringBuilder();
  private final Set<AnswerEvent.PhaseName> phases = EnumSet.noneOf(AnswerEvent.PhaseName.class);
  private boolean opened;
  private boolean textStarted;
  private AnswerEvent.@Nullable Sources sources;
  private AnswerEvent.@Nullable ModelCalled called;
  private AnswerEvent.@Nullable Ended ended;

  static Transcript of(List<AnswerEvent> events) {
    Transcript transcript = new Transcript();
    events.forEach(transcript::add);
    return transcript;
  }

  void add(AnswerEvent event) {
    if (event instanceof AnswerEvent.Text piece) {
      text.append(piece.delta());
    } else if (event instanceof AnswerEvent.Sources seen) {
      sources = seen;
    } else if (event instanceof AnswerEvent.Phase phase) {
      phases.add(phase.phase());
    } else if (event instanceof AnswerEvent.Opened) {
      opened = true;
    } else if (event instanceof AnswerEvent.TextStarted) {
      textStarted = true;
    } else if (event instanceof AnswerEvent.ModelCalled call) {
      called = call;
    } else if (event instanceof AnswerEvent.Ended end) {
      ended = end;
    }
  }

  boolean opened() {
    return opened;
  }

  boolean has(AnswerEvent.PhaseName phase) {
    return phases.contains(phase);
  }

  boolean textStarted() {
    return textStarted;
  }

  String text() {
    return text.toString();
  }

  boolean hasText() {
    return !text.isEmpty();
  }

  boolean hasSources() {
    return sources != null;
  }

  /** The citations that were sent last. */
  List<Citation> citations() {
    return sources == null ? List.of() : sources.citations();
  }

  /** Those of them whose mark stands in the text: no other source may stay with the answer. */
  List<Citation> cited() {
    return citations().stream()
        .filter(citation -> text.indexOf("[" + citation.label() + "]") >= 0)
        .toList();
  }

  JsonArray citedJson() {
    JsonArray array = new JsonArray();
    cited().forEach(citation -> array.add(citation.toJson()));
    return array;
  }

  JsonObject plan() {
    return sources == null ? new JsonObject() : sources.plan();
  }

  AnswerEvent.@Nullable Ended ended() {
    return ended;
  }

  /** The call that was made last, as far as its events tell: by estimate, never zero. */
  Bill.Call call() {
    return called == null
        ? Bill.Call.NONE
        : new Bill.Call(
            called.provider(), called.model(), Usage.estimate(called.promptChars(), text.length()));
  }
}
