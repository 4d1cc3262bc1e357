package dev.askgateway.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** All that a stream told, from its first frame to its end. */
record Told(List<Frame> frames) {

  List<String> types() {
    return frames.stream().map(Frame::type).toList();
  }

  String raw() {
    return frames.stream().map(Frame::raw).collect(Collectors.joining());
  }

  String text() {
    return frames.stream()
        .filter(frame -> frame.type().equals("text-delta"))
        .map(frame -> frame.json().getString("delta"))
        .collect(Collectors.joining());
  }

  /** The data of the last part with that name, such as {@code data-finish}. */
  JsonObject last(String type) {
    return frames.stream()
        .filter(frame -> frame.type().equals(type))
        .reduce((before, after) -> after)
        .map(Frame::data)
        .orElseThrow(() -> new AssertionError("no " + type + " in " + types()));
  }

  /** What stands in the end: the citations of the last sources. */
  JsonArray citations() {
    return last("data-sources").getJsonArray("citations");
  }
}
