package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway process with streams that is sent SIGTERM")
class SignalIT {
  private static final int EACH = 12;
  private static final String CHAT = "/v1/chat/completions";

  private final Model model = new Model();
  private final List<Exchange> held = new CopyOnWriteArrayList<>();
  private final Api nobody = new Api(0, Person.unknown());
  private GatewayProcess gateway;
  private Path log;
  private Api api;

  private void start(String drainTimeout) throws IOException {
    Map<String, String> settings = model.settings(
        "DATABASE_URL",
        Data.url(),
        "DATABASE_MIGRATION_URL",
        Data.url(),
        "REDIS_URL",
        DevServices.shared().redisUrl(),
        "ASK_HTTP_DRAIN_GRACE",
        "2s",
        "ASK_HTTP_DRAIN_TIMEOUT",
        drainTimeout,
        "ASK_LIMITS_ASK_CONCURRENT",
        "0",
        "ASK_LIMITS_ASK_BURST",
        "1000",
        "ASK_INDEXING_LEASE",
        "10m");
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("She booked"));
      held.add(exchange);
    });
    log = Path.of("target", "signal-" + drainTimeout + ".log");
    Files.deleteIfExists(log);
    gateway = new GatewayProcess(settings, log);
    api = new Api(gateway.port(), nobody.person());
    Await.until("it takes connections", gateway::isUp);
    api.imports(Samples.booking());
  }

  @AfterEach
  void stop() {
    gateway.close();
    model.close();
  }

  private EventStream completion() {
    JsonObject body = new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", true)
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Hi")));
    return EventStream.post(gateway.port(), CHAT, api.person().token(), body);
  }

  /** Unlike a question it is answered at once, whether it is taken or not. */
  private HttpRequest.Builder importing() {
    return api.request("/ai/messages")
        .header("Content-Type", "application/x-ndjson")
        .POST(HttpRequest.BodyPublishers.ofString(Samples.booking().encode()));
  }

  private Reply ready() {
    return api.get("/health/ready");
  }

  private long rows(String condition) {
    return Data.number(
        "SELECT count(*) FROM ask.answer_requests WHERE user_id = ? AND " + condition,
        api.person().id());
  }

  @Test
  @DisplayName(
      "takes requests for the grace, lets each stream come to its end or tells that it was interrupted, and exits with 0")
  void drains() throws IOException {
    start("8s");
    List<EventStream> answers = new ArrayList<>();
    List<EventStream> completions = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      answers.add(api.stream(Api.question(Samples.QUESTION)));
      completions.add(completion());
    }
    assertThat(answers).extracting(EventStream::status).containsOnly(200);
    assertThat(completions).extracting(EventStream::status).containsOnly(200);
    Await.until("every model was asked", () -> held.size() == 2 * EACH);
    try (Socket idle = new Socket("127.0.0.1", gateway.port())) {
      idle.setSoTimeout(15_000);
      idle.getOutputStream()
          .write(
              "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(idle.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");

      gateway.terminate();
      Await.until("it says so", () -> ready().status() == 503);
      assertThat(ready().json().getString("status")).isEqualTo("draining");
      answers.add(api.stream(Api.question(Samples.QUESTION))); // still taken
      Await.until("it is answered", () -> held.size() == 2 * EACH + 1);
      Await.until("the grace is over", () -> api.isTurnedAway(importing()));
      Await.until("for questions too", () -> api.isTurnedAway(Api.question(Samples.QUESTION)));
      assertThat(idle.getInputStream().readAllBytes())
          .isNotNull(); // up to its end, which comes now
    }
    List<Exchange> finish = List.copyOf(held.subList(0, held.size() / 2));
    finish.forEach(exchange -> {
      exchange.chunk(Model.delta(" Casa Nopal [S1].") + Model.STOP + Model.USAGE + Model.DONE);
      exchange.endBody();
    });

    int whole = 0;
    int interrupted = 0;
    for (EventStream stream : answers) {
      Told told = stream.all();
      String state = told.last("data-finish").getString("state");
      if (state.equals("completed")) {
        whole++;
        assertThat(told.text()).startsWith("She booked Casa Nopal");
        assertThat(told.types()).endsWith("finish", "data: [DONE]");
      } else {
        interrupted++;
        assertThat(told.last("data-error").getString("code")).isEqualTo("interrupted");
        assertThat(told.types()).endsWith("error", "data: [DONE]");
      }
    }
    for (EventStream stream : completions) {
      String told = stream.all().raw();
      if (told.contains("\"code\":\"interrupted\"")) {
        interrupted++;
      } else {
        whole++;
        assertThat(told).contains("Casa Nopal").endsWith("data: [DONE]\n\n");
      }
    }
    assertThat(whole).isEqualTo(finish.size()).isPositive();
    assertThat(interrupted).isEqualTo(2 * EACH + 1 - finish.size()).isPositive();
    assertThat(gateway.exitCode()).isZero();
    assertThat(gateway.isUp()).isFalse();
    assertThat(rows("status = 'streaming'")).isZero();
    assertThat(rows("hold_state = 'pending'")).isZero();
    assertThat(rows("lease_node IS NOT NULL")).isZero();
    assertThat(rows("true")).isEqualTo(2 * EACH + 1);
    assertThat(Data.pendingHolds(api.person())).isZero();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.embedding_jobs WHERE user_id = ? AND lease_node IS NOT NULL",
            api.person().id()))
        .isZero();
    assertThat(Files.readString(log, StandardCharsets.UTF_8)).doesNotContain("ERROR");
  }

  @Test
  @DisplayName("is over at once with the second signal, however long the first one lets it drain")
  void twice() throws IOException {
    start("10m");
    EventStream answer = api.stream(Api.question(Samples.QUESTION));
    answer.untilText();
    gateway.terminate();
    Await.until("it heard it", () -> ready().status() == 503);
    gateway.terminate();
    assertThat(gateway.exitCode()).isEqualTo(128 + 15);
    answer.close();
  }
}
