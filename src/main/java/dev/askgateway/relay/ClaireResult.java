package dev.askgateway.relay;

import dev.askgateway.core.AnswerEvent;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * The two parts that an already shipped client reads: transient status names of its own and one
 * result object at the end (facts 1.9).
 */
final class ClaireResult implements AnswerEvent.Cases<Void> {
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

  @Override
  public Void opened(AnswerEvent.Opened event) {
    requestId = event.ids().requestId().toString();
    return done();
  }

  @Override
  public Void phase(AnswerEvent.Phase event) {
    return done();
  }

  @Override
  public Void sources(AnswerEvent.Sources event) {
    citations = UiStream.array(event.citations());
    indexing = event.indexStatus();
    return done();
  }

  @Override
  public Void modelCalled(AnswerEvent.ModelCalled event) {
    return done();
  }

  @Override
  public Void textStarted(AnswerEvent.TextStarted event) {
    return done();
  }

  @Override
  public Void text(AnswerEvent.Text event) {
    answer.append(event.delta());
    return done();
  }

  @Override
  public Void ended(AnswerEvent.Ended event) {
    return done();
  }

  @SuppressWarnings("NullAway") // Void has no value but null
  private static Void done() {
    return null;
  }
}
