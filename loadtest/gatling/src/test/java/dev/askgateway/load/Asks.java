package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.askgateway.load.stream.EventStreams;
import dev.askgateway.load.stream.Step;
import dev.askgateway.load.stream.Told;
import dev.askgateway.load.stream.Turn;
import dev.askgateway.load.stream.Wire;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ways to ask. Each begins with a new question and request id; in the session are the {@code token}
 * and, from the second question on, the {@code threadId}. {@code body} and {@code text} are of the
 * latest question.
 */
final class Asks {
  private static final String ASK = "/ai/assistant/messages";
  private static final String REQUESTS = "/ai/assistant/requests/";
  private static final EventStreams STREAMS =
      new EventStreams(Settings.base(), System::currentTimeMillis);

  private Asks() {}

  /** A question in the thread so far, if there is one; its text has no quotes. */
  private static Session anew(Session session) {
    String id = UUID.randomUUID().toString();
    String thread =
        session.contains("threadId") && !session.getString("threadId").isEmpty()
            ? ",\"threadId\":\"" + session.getString("threadId") + "\""
            : "";
    String question = Feeds.question();
    return session
        .set("question", question)
        .set("requestId", id)
        .set(
            "body",
            "{\"question\":\"" + question + "\",\"requestId\":\"" + id + "\"" + thread + "}");
  }

  private static CompletableFuture<Told> open(Session session, Turn turn) {
    return STREAMS.post(
        ASK, session.getString("token"), session.getString("body"), Wire.UI_MESSAGES, turn);
  }

  private static Session after(Session session, Told told, boolean good) {
    Session next = session.set("text", told.text()).set("threadId", told.threadId());
    return good ? next : next.markAsFailed();
  }

  /** Asks and reads to the end. */
  static ChainBuilder stream() {
    return exec(Asks::anew).exec(read("ask"));
  }

  private static Step read(String name) {
    return new Step(name, (session, records) -> open(session, Turn.NONE)
        .thenApply(told -> after(session, told, records.stream(name, told))));
  }

  /** Asks, loses the network after the first words, comes back and follows from the first event. */
  static ChainBuilder dropAndResume() {
    Step drop =
        new Step("ask dropped", (session, records) -> open(session, Turn.leave(someDeltas()))
            .thenApply(told -> after(session, told, records.stream("ask dropped", told))));
    Step resume = new Step("resume", (session, records) -> STREAMS
        .get(
            REQUESTS + session.getString("requestId") + "/stream",
            session.getString("token"),
            Wire.UI_MESSAGES)
        .thenApply(told -> {
          boolean same = told.text().startsWith(session.getString("text"));
          boolean good = records.stream("resume", told)
              & records.check(
                  "resume tells the same", told.start(), told.endAt(), same ? "" : "another text");
          return after(session, told, good);
        }));
    return exec(Asks::anew)
        .exec(drop)
        .exitHereIfFailed()
        .exec(pause(Duration.ofMillis(200), Duration.ofMillis(1_500)))
        .exec(resume);
  }

  /** Asks, presses stop after the first words, and waits for the end of the stream. */
  static ChainBuilder stop() {
    return exec(Asks::anew).exec(new Step("ask stopped", (session, records) -> {
      Stop stop = new Stop(
          STREAMS,
          REQUESTS + session.getString("requestId") + "/cancel",
          session.getString("token"));
      return open(session, Turn.act(someDeltas(), stop))
          .thenCompose(told -> stop.fault().thenApply(refused -> {
            boolean ended = told.state().equals("cancelled") || told.fault().isEmpty();
            boolean good =
                records.check("ask stopped", told.start(), told.endAt(), ended ? "" : told.fault());
            if (stop.pressedAt() > 0) {
              good &= records.check("stop to end", stop.pressedAt(), told.endAt(), refused);
            }
            return after(session, told, good);
          }));
    }));
  }

  /** Sends the same request twice at once: one answer, told to both. */
  static ChainBuilder twice() {
    return exec(Asks::anew).exec(new Step("ask twice", (session, records) -> {
      CompletableFuture<Told> first = open(session, Turn.NONE);
      CompletableFuture<Told> second = open(session, Turn.NONE);
      return first.thenCombine(second, (one, other) -> {
        boolean good = records.stream("ask twice", one)
            & records.stream("ask twice", other)
            & records.check(
                "both are told the same",
                one.start(),
                Math.max(one.endAt(), other.endAt()),
                one.text().equals(other.text()) ? "" : "two texts");
        return after(session, one, good);
      });
    }));
  }

  /** Asks, and sends the same again later: the stored answer. */
  static ChainBuilder askAndReplay() {
    Step replay =
        new Step("replay", (session, records) -> open(session, Turn.NONE).thenApply(told -> {
          boolean good = records.stream("replay", told)
              & records.check(
                  "replay tells the same",
                  told.start(),
                  told.endAt(),
                  told.text().equals(session.getString("text")) ? "" : "another text");
          return after(session, told, good);
        }));
    return stream().exitHereIfFailed().exec(pause(Duration.ofSeconds(1))).exec(replay);
  }

  private static int someDeltas() {
    return ThreadLocalRandom.current().nextInt(1, 6);
  }

  /** Asks for one JSON document. */
  static ChainBuilder json() {
    return exec(Asks::anew)
        .exec(http("ask json")
            .post(ASK)
            .body(StringBody("#{body}"))
            .check(
                status().in(200, 201),
                jsonPath("$.data.status").is("completed"),
                jsonPath("$.data.answer").exists()));
  }

  /** A question that no thread keeps. */
  static ChainBuilder search() {
    return exec(Asks::anew)
        .exec(http("search")
            .post("/ai/search")
            .body(StringBody("{\"query\":\"#{question}\"}"))
            .check(status().is(200), jsonPath("$.data.answer").exists()));
  }

  /** What an app shows when it is opened. */
  static ChainBuilder openApp() {
    return exec(http("threads")
            .get("/ai/assistant/threads?limit=20")
            .check(status().is(200), jsonPath("$.success").is("true")))
        .exec(http("index status")
            .get("/ai/assistant/index/status")
            .check(status().is(200)));
  }

  /** The thread that was asked in, with what was asked. */
  static ChainBuilder history() {
    return exec(http("history")
        .get("/ai/assistant/threads/#{threadId}")
        .check(
            status().is(200), jsonPath("$.data.turns[0]").exists()));
  }
}
