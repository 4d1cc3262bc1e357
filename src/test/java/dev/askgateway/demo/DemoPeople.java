package dev.askgateway.demo;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Gives each person of the demo the sample conversations, through the gateway's own door. */
final class DemoPeople {
  private static final Duration INDEX_PATIENCE = Duration.ofSeconds(90);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String base;
  private final Consumer<String> say;

  DemoPeople(String base, Consumer<String> say) {
    this.base = base;
    this.say = say;
  }

  /**
   * Imports for everybody and returns when all of it is indexed, or was not in 90 s and 5 s more for
   * each person.
   *
   * @param tokens one for each person
   * @param requireWanted is asked again and again, and throws when there shall be no demo any more
   */
  void welcome(List<String> tokens, Runnable requireWanted) throws Exception {
    String messages = SampleConversations.ndjson(Instant.now(), ZoneId.systemDefault());
    int imported = 0;
    for (String token : tokens) {
      requireWanted.run();
      imported +=
          call(token, "POST", "/ai/messages", messages, "application/x-ndjson").getInteger("new");
    }
    say.accept("Samples: " + imported + " messages imported"
        + (tokens.size() == 1 ? "" : ", for " + tokens.size() + " persons"));
    long until =
        System.nanoTime() + INDEX_PATIENCE.plusSeconds(5L * (tokens.size() - 1)).toNanos();
    long indexed = 0;
    long total = 0;
    String worst = "ready";
    for (String token : tokens) {
      JsonObject status = indexed(token, requireWanted, until);
      indexed += status.getLong("indexedCount");
      total += status.getLong("totalCount");
      worst = status.getString("status").equals("ready") ? worst : status.getString("status");
    }
    say.accept("Index: %s, %d of %d messages".formatted(worst, indexed, total));
  }

  private JsonObject indexed(String token, Runnable requireWanted, long until) throws Exception {
    while (true) {
      TimeUnit.MILLISECONDS.sleep(100);
      requireWanted.run();
      JsonObject status = call(token, "GET", "/ai/assistant/index/status", "", "application/json");
      if (!"indexing".equals(status.getString("status")) || System.nanoTime() >= until) {
        return status;
      }
    }
  }

  private JsonObject call(String token, String method, String path, String body, String type)
      throws Exception {
    HttpRequest.BodyPublisher publisher = body.isEmpty()
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofString(body);
    HttpResponse<String> response = HTTP.send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("authorization", "Bearer " + token)
            .header("content-type", type)
            .method(method, publisher)
            .build(),
        HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(path + " answered " + response.statusCode() + ": " + response.body());
    }
    return new JsonObject(response.body()).getJsonObject("data");
  }
}
