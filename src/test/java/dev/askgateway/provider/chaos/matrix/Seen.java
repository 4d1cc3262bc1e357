package dev.askgateway.provider.chaos.matrix;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client of the edge saw.
 *
 * @param retryAfter the header, or null
 * @param text all of the answer's text
 * @param reasons why it stopped, as often as it was said
 * @param error the code of the error, in the body or in the stream, or null
 * @param dones end markers of a stream; 1 for a body
 */
record Seen(
    int status, String retryAfter, String text, List<String> reasons, String error, int dones) {

  static Seen of(HttpClientResponse response, String body) {
    String type = response.getHeader("content-type");
    Sum sum = new Sum();
    if (type.startsWith("text/event-stream")) {
      for (String line : body.split("\n")) {
        if (line.equals("data: [DONE]")) {
          sum.dones++;
        } else if (line.startsWith("data: ")) {
          sum.add(new JsonObject(line.substring(6)), "delta");
        }
      }
    } else {
      sum.dones = 1;
      sum.add(new JsonObject(body), "message");
    }
    return new Seen(
        response.statusCode(),
        response.getHeader("retry-after"),
        sum.text.toString(),
        sum.reasons,
        sum.error,
        sum.dones);
  }

  private static final class Sum {
    private final StringBuilder text = new StringBuilder();
    private final List<String> reasons = new ArrayList<>();
    private String error;
    private int dones;

    private void add(JsonObject json, String member) {
      if (json.containsKey("error")) {
        error = json.getJsonObject("error").getString("code");
      }
      for (Object one : json.getJsonArray("choices", new io.vertx.core.json.JsonArray())) {
        JsonObject choice = (JsonObject) one;
        String content = choice.getJsonObject(member).getString("content");
        text.append(content == null ? "" : content);
        if (choice.getString("finish_reason") != null) {
          reasons.add(choice.getString("finish_reason"));
        }
      }
    }
  }

  /** In words. */
  String told() {
    String said = text.isEmpty() ? "" : ", \"" + text.strip() + "\"";
    String end = error == null ? ", " + String.join(" and ", reasons) : ", error " + error;
    return status + said + end + (retryAfter == null ? "" : ", Retry-After: " + retryAfter);
  }
}
