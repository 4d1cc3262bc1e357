package dev.askgateway.evals.service;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * What the stream of one question told, and when: nanoseconds after it was due, 0 for what did not come.
 * Of one event loop.
 */
final class Told {
  private static final String DATA = "data: ";

  final long due;
  int status;
  long retrieving;
  long firstText;
  long end;
  int texts;
  int sources;
  int comments;
  String state = "";
  String error = "";
  boolean marked;
  boolean left;
  private long last;
  private long silence;

  Told(long due) {
    this.due = due;
    this.last = due;
  }

  /** Whether it is an answer of a model, over evidence, with its end. */
  boolean isWhole() {
    return status == 200 && marked && state.equals("completed") && texts > 0 && sources > 0;
  }

  /** Whether the gateway said that it has too much to do. */
  boolean isTurnedAway() {
    return status == 503;
  }

  /** The longest time that nothing came, in nanoseconds. */
  long silence() {
    return silence;
  }

  /** Takes one event of the stream, or a comment, without the blank line that ends it. */
  void event(Buffer event) {
    long now = System.nanoTime();
    silence = Math.max(silence, now - last);
    last = now;
    String text = event.toString();
    if (text.startsWith(":")) {
      comments++;
    } else if (text.equals(DATA + "[DONE]")) {
      marked = true;
    } else if (text.startsWith(DATA)) {
      data(new JsonObject(text.substring(DATA.length())), now - due);
    }
  }

  private void data(JsonObject event, long at) {
    JsonObject data = event.getJsonObject("data", new JsonObject());
    switch (event.getString("type", "")) {
      case "data-status" -> {
        if (data.getString("phase", "").equals("retrieving")) {
          retrieving = at;
        }
      }
      case "text-delta" -> {
        if (texts++ == 0) {
          firstText = at;
        }
      }
      case "data-sources" ->
        sources = data.getJsonArray("citations", new JsonArray()).size();
      case "data-error" -> error = data.getString("code", "");
      case "data-finish" -> state = data.getString("state", "");
      default -> {
        // ids, sources and frames of blocks are of no concern here
      }
    }
  }
}
