package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Citation;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the events of an answer so far amount to: the text that was shown, the citations that stand,
 * the model that was called. Read off the events themselves, so that what is stored is what was shown.
 */
final class Transcript {
  private final StringBuilder text = new StringBuilder();
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
    } else if (event instanceof AnswerEvent.ModelCalled call) {
      called = call;
    } else if (event instanceof AnswerEvent.Ended end) {
      ended = end;
    }
  }

  String text() {
    return text.toString();
  }

  List<Citation> citations() {
    return sources == null ? List.of() : sources.citations();
  }

  JsonArray citationsJson() {
    JsonArray array = new JsonArray();
    citations().forEach(citation -> array.add(citation.toJson()));
    return array;
  }

  JsonObject plan() {
    return sources == null ? new JsonObject() : sources.plan();
  }

  AnswerEvent.@Nullable ModelCalled called() {
    return called;
  }

  AnswerEvent.@Nullable Ended ended() {
    return ended;
  }

  /** The bill when the provider reported none: an estimate, never zero for a call that was made. */
  Usage estimate() {
    return called == null ? Usage.NONE : Usage.estimate(called.promptChars(), text.length());
  }
}
