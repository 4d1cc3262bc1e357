package dev.askgateway.e2e;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** One person's requests to one gateway. */
record Api(int port, Person person) {
  static final String ASK = "/ai/assistant/messages";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** A question under a new request id. */
  static JsonObject question(String text) {
    return new JsonObject()
        .put("question", text)
        .put("requestId", UUID.randomUUID().toString());
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(20))
        .header("Authorization", "Bearer " + person.token());
  }

  Reply get(String path) {
    return send(request(path).GET());
  }

  Reply delete(String path) {
    return send(request(path).DELETE());
  }

  Reply post(String path, JsonObject body) {
    return send(json(path, body.encode()));
  }

  /** Posts text as a JSON body, whatever it is. */
  Reply post(String path, String body) {
    return send(json(path, body));
  }

  CompletableFuture<Reply> postSoon(String path, JsonObject body) {
    return HTTP.sendAsync(json(path, body.encode()).build(), BodyHandlers.ofString())
        .thenApply(Reply::new);
  }

  private HttpRequest.Builder json(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  static Reply send(HttpRequest.Builder request) {
    try {
      return new Reply(HTTP.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /**
   * Whether a node that goes turns a POST away with 503. One that meets the end of its connection, which
   * clients do not send again by themselves, does not tell.
   */
  boolean isTurnedAway(HttpRequest.Builder request) {
    try {
      return send(request).status() == 503;
    } catch (UncheckedIOException closed) {
      return false;
    }
  }

  /** The same of a question. */
  boolean isTurnedAway(JsonObject question) {
    return isTurnedAway(json(ASK, question.encode()));
  }

  /** The whole JSON answer to a question. */
  JsonObject ask(String question) {
    return post(ASK, question(question)).data();
  }

  /** The same as an event stream, which the caller reads. */
  EventStream stream(JsonObject question) {
    return EventStream.post(port, ASK, person.token(), question);
  }

  /** Follows a request from its first event. */
  EventStream follow(String requestId) {
    return EventStream.get(port, "/ai/assistant/requests/" + requestId + "/stream", person.token());
  }

  /** A request as it is stored. */
  JsonObject stored(String requestId) {
    return get("/ai/assistant/requests/" + requestId).data();
  }

  Reply cancel(String requestId) {
    return post("/ai/assistant/requests/" + requestId + "/cancel", "");
  }

  /** Imports lines of JSON and returns the counts. */
  JsonObject imports(String lines) {
    return send(request("/ai/messages")
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines)))
        .data();
  }

  JsonObject imports(JsonObject... messages) {
    return imports(
        Arrays.stream(messages).map(JsonObject::encode).collect(Collectors.joining("\n")));
  }

  /** Returns once every message of the person is indexed. */
  void awaitIndex() {
    Await.until("the index is ready", () -> {
      JsonObject status = get("/ai/assistant/index/status").data();
      return status.getString("status").equals("ready")
          && status.getLong("indexedCount").equals(status.getLong("totalCount"));
    });
  }

  /** The id of the chat with that name. */
  String chat(String name) {
    return get("/ai/assistant/mention-candidates?q=" + name.replace(" ", "%20"))
        .list()
        .getJsonObject(0)
        .getString("id");
  }
}
