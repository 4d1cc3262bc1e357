package dev.askgateway.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;

/** A whole response. */
record Reply(HttpResponse<String> response) {

  int status() {
    return response.statusCode();
  }

  String text() {
    return response.body();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  JsonObject json() {
    return new JsonObject(text());
  }

  /** The object inside the success envelope. */
  JsonObject data() {
    if (status() >= 300) {
      throw new AssertionError("status " + status() + ": " + text());
    }
    return json().getJsonObject("data");
  }

  /** The list inside the success envelope. */
  JsonArray list() {
    return json().getJsonArray("data");
  }

  /** The code of a failure with its status: "404 not_found". */
  String refusal() {
    return status() + " " + json().getString("code");
  }
}
