package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.askgateway.load.stream.EventStreams;
import dev.askgateway.load.stream.Step;
import dev.askgateway.load.stream.Turn;
import dev.askgateway.load.stream.Wire;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;

/** OpenAI clients: half of them stream completions, three in ten wait for them, the rest embed. */
public final class Edge extends Simulation {
  private static final String COMPLETIONS = "/v1/chat/completions";
  private static final EventStreams STREAMS =
      new EventStreams(Settings.base(), System::currentTimeMillis);

  public Edge() {
    setUp(
            arriving("completions as streams", Edge.streamed(), .5),
            arriving("completions", whole(), .3),
            arriving("embeddings", embeddings(), .2))
        .protocols(Settings.protocol())
        .assertions(Bounds.all(
            Bounds.streamed("chat stream"), Bounds.whole("chat"), Bounds.whole("embeddings")));
  }

  private static PopulationBuilder arriving(String name, ChainBuilder calls, double share) {
    return scenario(name)
        .exec(feed(Feeds.persons()))
        .exec(calls)
        .injectOpen(Settings.arrivals(10, 60, share));
  }

  private static String chat(boolean stream) {
    return "{\"model\":\"" + Settings.text("model", "assistant_grounded") + "\",\"stream\":"
        + stream
        + ",\"max_tokens\":200,\"messages\":[{\"role\":\"user\",\"content\":\"" + Feeds.question()
        + "\"}]}";
  }

  private static ChainBuilder streamed() {
    return exec(new Step("chat stream", (session, records) -> STREAMS
        .post(COMPLETIONS, session.getString("token"), chat(true), Wire.CHUNKS, Turn.NONE)
        .thenApply(
            told -> records.stream("chat stream", told) ? session : session.markAsFailed())));
  }

  private static ChainBuilder whole() {
    return exec(http("chat")
        .post(COMPLETIONS)
        .body(StringBody(session -> chat(false)))
        .check(status().is(200), jsonPath("$.choices[0].message.content").exists()));
  }

  private static ChainBuilder embeddings() {
    return exec(http("embeddings")
        .post("/v1/embeddings")
        .body(StringBody(session -> "{\"model\":\"" + Settings.text("embedding", "e5-384")
            + "\",\"input\":\"" + Feeds.question() + "\"}"))
        .check(status().is(200), jsonPath("$.data[0].embedding[0]").exists()));
  }
}
