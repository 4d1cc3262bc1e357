package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.intake.Door.Answer;
import dev.askgateway.intake.admission.AdmissionConfig;
import dev.askgateway.intake.admission.AdmissionListener;
import dev.askgateway.intake.admission.Reason;
import dev.askgateway.provider.Wait;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A door with more before it than may come in")
class AdmissionHttpTest {
  private static final String ASK = "/ai/assistant/messages";
  private static final String REQUESTS = "/ai/assistant/requests/";
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Door door = new Door();
  private final Promise<Void> gate = Promise.promise();
  private final List<Reason> shed = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();

  /** Answers open and then wait; nothing but these numbers turns anybody away. */
  private void open(int maxOpen, int maxBeginning) {
    door.admission =
        new AdmissionConfig(true, maxOpen, maxBeginning, LONG, LONG, LONG, Duration.ofSeconds(4));
    door.admissionListener = new AdmissionListener() {
      @Override
      public void shed(Reason reason) {
        shed.add(reason);
      }

      @Override
      public void lagged(long nanos) {
        // its own test
      }
    };
    door.answers.gate = gate.future();
    door.open();
  }

  @AfterEach
  void close() {
    gate.tryComplete();
    door.close();
  }

  private static JsonObject question(UUID id) {
    return new JsonObject().put("question", "When?").put("requestId", id.toString());
  }

  private HttpRequest asking(UUID id) {
    return door.signed(ASK)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(question(id).encode()))
        .build();
  }

  /** Sends it, and returns once it has begun. */
  private CompletableFuture<HttpResponse<String>> begin(UUID id) {
    int before = door.answers.asked.size();
    var answer = door.http.sendAsync(asking(id), HttpResponse.BodyHandlers.ofString());
    waiting.add(answer);
    Door.until(() -> door.answers.asked.size() == before + 1);
    return answer;
  }

  @Test
  @DisplayName(
      "turns the next question away before anybody hears of it, and tells when to come again")
  void shedsByLimit() {
    open(100, 2);
    begin(UUID.randomUUID());
    begin(UUID.randomUUID());

    UUID third = UUID.randomUUID();
    Answer refused = door.post(ASK, question(third));

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("overloaded");
    assertThat(refused.json().getBoolean("retryable")).isTrue();
    assertThat(refused.json().getString("requestId")).isEqualTo(third.toString());
    assertThat(refused.json().getLong("retryAfterMs")).isBetween(2_000L, 6_000L);
    assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(2, 6);
    assertThat(door.answers.asked).hasSize(2);
    assertThat(shed).containsExactly(Reason.LIMIT);
  }

  @Test
  @DisplayName("tells each another time, so that they do not come back together")
  void jitter() {
    open(1, 2);
    begin(UUID.randomUUID());
    assertThat(java.util.stream.IntStream.range(0, 20)
            .mapToObj(one -> door.post(ASK, question(UUID.randomUUID())).json())
            .map(body -> body.getLong("retryAfterMs"))
            .distinct())
        .hasSizeGreaterThan(10);
  }

  @Test
  @DisplayName("never lets in more answers than may be open, and the next one when one is over")
  void shedsByOpen() {
    open(2, 100);
    begin(UUID.randomUUID());
    begin(UUID.randomUUID());
    assertThat(door.post(ASK, question(UUID.randomUUID())).status()).isEqualTo(503);
    assertThat(shed).containsExactly(Reason.OPEN);

    gate.complete();
    waiting.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(201));
    assertThat(door.post(ASK, question(UUID.randomUUID())).status()).isEqualTo(201);
    assertThat(door.admissions.open()).isZero();
    assertThat(door.admissions.inFlight()).isZero();
  }

  @Test
  @DisplayName(
      "a request that runs here is joined when it is sent again, and one that is over told again")
  void known() {
    open(1, 2);
    UUID id = UUID.randomUUID();
    CompletableFuture<HttpResponse<String>> first = begin(id);
    CompletableFuture<HttpResponse<String>> again = begin(id);
    assertThat(door.post(ASK, question(UUID.randomUUID())).status()).isEqualTo(503);
    gate.complete();
    assertThat(first.join().statusCode()).isEqualTo(201);
    assertThat(again.join().statusCode()).isEqualTo(201);

    Promise<Void> next = Promise.promise();
    door.answers.gate = next.future();
    begin(UUID.randomUUID());
    door.answers.gate = null;
    assertThat(door.post(ASK, question(id)).status()).isEqualTo(201);
    next.complete();
  }

  @Test
  @DisplayName("health, following and stopping are never turned away; a node that sheds is ready")
  void neverShed() {
    open(1, 2);
    UUID id = UUID.randomUUID();
    door.answers.known.add(id);
    begin(id);
    assertThat(door.post(ASK, question(UUID.randomUUID())).status()).isEqualTo(503);

    Answer ready = door.send(door.request("/health/ready").GET());
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json().getJsonObject("admission"))
        .isEqualTo(new JsonObject()
            .put("state", "shedding")
            .put("inFlight", 1)
            .put("limit", 2)
            .put("open", 1)
            .put("maxOpen", 1));
    gate.complete();
    assertThat(
            door.get(REQUESTS + id + "/stream", "Accept", "text/event-stream").status())
        .isEqualTo(200);
    // Not 503: there is no database behind this door that would know the request.
    assertThat(door.post(REQUESTS + id + "/cancel", "").code()).isEqualTo("dependency_unavailable");
    assertThat(shed).hasSize(1);
  }

  @Test
  @DisplayName("imports wait before questions do: when half of the limit is taken")
  void importsFirst() {
    open(100, 4);
    assertThat(ingest().status()).isEqualTo(200);
    begin(UUID.randomUUID());
    begin(UUID.randomUUID());
    Answer refused = ingest();
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("overloaded");
    assertThat(refused.header("retry-after")).isNotEmpty();
    begin(UUID.randomUUID()); // a question still comes in

    assertThat(shed).containsExactly(Reason.IMPORT);

    begin(UUID.randomUUID());
    gate.complete();
    waiting.forEach(CompletableFuture::join);
    assertThat(ingest().status()).as("its own refusal keeps no import out").isEqualTo(200);
  }

  @Test
  @DisplayName("imports wait for a while after a question was turned away, also when there is room")
  void importsAfterward() {
    open(1, 4);
    begin(UUID.randomUUID());
    assertThat(door.post(ASK, question(UUID.randomUUID())).status()).isEqualTo(503);
    gate.complete();
    waiting.forEach(CompletableFuture::join);

    assertThat(ingest().status()).isEqualTo(503);
    assertThat(shed).containsExactly(Reason.OPEN, Reason.IMPORT);
  }

  private Answer ingest() {
    return door.send(door.signed("/ai/messages")
        .header("Content-Type", "application/x-ndjson")
        .POST(HttpRequest.BodyPublishers.ofString("{}")));
  }

  @Test
  @DisplayName("a client that leaves before its answer began gives its place back")
  void leaves() throws IOException {
    open(1, 2);
    try (Socket socket = new Socket("127.0.0.1", door.port())) {
      String body = question(UUID.randomUUID()).encode();
      socket
          .getOutputStream()
          .write(("POST " + ASK + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                  + Tokens.hs256(Door.PERSON)
                  + "\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: "
                  + body.length() + "\r\n\r\n" + body)
              .getBytes(StandardCharsets.US_ASCII));
      Door.until(() -> door.admissions.open() == 1);
    }
    Door.until(() -> door.admissions.open() == 0);
    assertThat(door.admissions.inFlight()).isZero();
  }

  @Test
  @DisplayName(
      "a node that is to go says so at once and still takes questions, each the last of its connection")
  void leaving() {
    open(100, 100);
    gate.complete();
    door.admissions.leave();

    Answer ready = door.send(door.request("/health/ready").GET());
    assertThat(ready.status()).isEqualTo(503);
    assertThat(ready.json().getString("status")).isEqualTo("draining");
    assertThat(door.send(door.request("/health/live").GET()).status()).isEqualTo(200);
    Answer taken = door.post(ASK, question(UUID.randomUUID()));
    assertThat(taken.status()).isEqualTo(201);
    assertThat(taken.header("connection")).isEqualTo("close");
  }

  @Test
  @DisplayName("after that it begins nothing new, and what it began is still joined")
  void closed() {
    open(100, 100);
    UUID id = UUID.randomUUID();
    CompletableFuture<HttpResponse<String>> first = begin(id);
    door.admissions.leave();
    door.admissions.close();

    Answer refused = door.post(ASK, question(UUID.randomUUID()));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("overloaded");
    assertThat(refused.header("retry-after")).isNotEmpty();
    assertThat(refused.header("connection")).isEqualTo("close");
    assertThat(ingest().status()).isEqualTo(503);
    assertThat(shed).containsExactly(Reason.DRAINING, Reason.DRAINING);
    CompletableFuture<HttpResponse<String>> again = begin(id);
    gate.complete();
    assertThat(first.join().statusCode()).isEqualTo(201);
    assertThat(again.join().statusCode()).isEqualTo(201);
  }

  @Test
  @DisplayName("connections that carry nothing are closed, one with an answer when that is whole")
  void connections() throws Exception {
    open(100, 100);
    try (Socket idle = new Socket("127.0.0.1", door.port())) {
      idle.setSoTimeout(15_000);
      idle.getOutputStream()
          .write(
              "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = idle.getInputStream();
      assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
      HttpResponse<InputStream> answer = door.http.send(
          door.signed(ASK)
              .header("Content-Type", "application/json")
              .header("Accept", "text/event-stream")
              .POST(HttpRequest.BodyPublishers.ofString(
                  question(UUID.randomUUID()).encode()))
              .build(),
          HttpResponse.BodyHandlers.ofInputStream());

      door.admissions.leave();
      door.admissions.close();
      door.endConnections();

      assertThat(in.readAllBytes()).isNotNull(); // up to its end, which comes now
      gate.complete();
      assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
          .contains("Saturday it is.")
          .endsWith("data: [DONE]\n\n");
    }
    Wait.on(door.drain());
  }
}
