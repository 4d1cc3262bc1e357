package dev.askgateway.simulation;

import dev.askgateway.core.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a client asks for.
 *
 * @param keyed whether it can be sent again and is told the same then; turns always can
 * @param chars how long it is
 */
record Request(String person, UUID id, Kind kind, boolean keyed, int chars) {
  static final int LEAST_CHARS = 40;

  /** What it is answered with. */
  enum Kind {
    TURN,
    COMPLETION,
    EMBEDDING
  }

  UserId user() {
    return new UserId(person);
  }

  /** What the model reads, by which it knows the request. */
  String text() {
    return id + ".".repeat(chars - id.toString().length());
  }

  /** To be embedded, each with the same beginning. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 1 + chars % 5; i++) {
      texts.add(text() + i);
    }
    return texts;
  }

  /** The request that a text is of. */
  static UUID idOf(String text) {
    return UUID.fromString(text.substring(0, 36));
  }

  String name() {
    return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + id.toString().substring(0, 8);
  }
}
