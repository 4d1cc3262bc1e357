package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * The two parts that an already shipped client reads: transient status names of its own and one
 * result object at the end (facts 1.9).
 */
final class ClaireResult {
  private final StringBuilder answer = new StringBuilder();
  private String requestId = "";
  private JsonArray citations = new JsonArray();
  private JsonObject indexing = new JsonObject();

  JsonObject status(AnswerEvent.PhaseName phase) {
    String name =
        switch (phase) {
          case RETRIEVING -> "planning";
          case ANSWERING -> "reading";
          case SAVING -> "saving";
        };
    return new JsonObject()
        .put("type", "data-claire-status")
        .put("data", new JsonObject().put("phase", name).put("requestId", requestId))
        .put("transient", true);
  }

  JsonObject result() {
    return new JsonObject()
        .put("type", "data-claire-result")
        .put(
            "data",
            new JsonObject()
                .put("answer", answer.toString())
                .put("citations", citations)
                .put("actions", new JsonArray())
                .put("indexing", indexing)
                .put("requestId", requestId));
  }

  /** Takes an event of the answer, in their order. */
  void see(AnswerEvent event) {
    if (event instanceof AnswerEvent.Opened opened) {
      requestId = opened.ids().requestId().toString();
    } else if (event instanceof AnswerEvent.Sources sources) {
      citations = UiStream.array(sources.citations());
      indexing = sources.indexStatus();
    } else if (event instanceof AnswerEvent.Text text) {
      answer.append(text.delta());
    }
  }
}
