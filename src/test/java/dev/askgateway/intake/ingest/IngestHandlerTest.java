package dev.askgateway.intake.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.ingest.IngestServer.Answer;
import dev.askgateway.store.IngestRepository.Message;
import dev.askgateway.store.IngestRepository.Outcome;
import dev.askgateway.store.IngestRepository.Written;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngestHandlerTest {
  private static final IngestConfig CONFIG = new IngestConfig(4096, 64 << 20, 500, 3);
  private static Vertx vertx;

  private final SlowWriter writer = new SlowWriter();
  private final List<UserId> woken = new CopyOnWriteArrayList<>();
  private final Heard heard = new Heard();
  private IngestServer server;

  @BeforeAll
  static void openVertx() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void closeVertx() {
    vertx.close().await();
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  private IngestServer serve(IngestHandler.BatchWriter batches, IngestConfig config) {
    server = new IngestServer(vertx, new IngestHandler(batches, config, woken::add, heard));
    return server;
  }

  /** Counts what a listener is told. */
  private static final class Heard implements IngestListener {
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();

    @Override
    public void written(List<Outcome> outcomes) {
      written.addAndGet(outcomes.size());
    }

    @Override
    public void rejected(long lines) {
      rejected.addAndGet(lines);
    }
  }

  /** Takes a turn of the loop for every batch and watches how many are open at a time. */
  private static final class SlowWriter implements IngestHandler.BatchWriter {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    @Override
    public Future<Written> write(UserId user, List<Message> messages) {
      mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
      sizes.add(messages.size());
      Promise<Written> written = Promise.promise();
      vertx.setTimer(1, later -> {
        open.decrementAndGet();
        written.complete(
            new Written(Collections.nCopies(messages.size(), Outcome.NEW), messages.size()));
      });
      return written.future();
    }

    int lines() {
      return sizes.stream().mapToInt(Integer::intValue).sum();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-ndjson", "application/json"})
  @DisplayName("100,000 lines pass with one batch in flight and no batch over its size")
  void bounded(String type) {
    serve(writer, CONFIG);
    boolean array = type.endsWith("/json");
    Answer answer = server.streamed(
        "ana",
        type,
        () -> new Generated(
            100_000,
            i -> array
                ? (i == 0 ? "[" : ",") + Generated.line(i) + (i == 99_999 ? "]" : "")
                : Generated.line(i) + "\n"));
    assertThat(answer.data().getLong("new")).isEqualTo(100_000);
    assertThat(writer.lines()).isEqualTo(100_000);
    assertThat(writer.sizes).allMatch(size -> size <= 500).hasSize(200);
    assertThat(writer.mostOpen).hasValue(1);
    assertThat(heard.written).hasValue(100_000);
    assertThat(woken).hasSize(200).containsOnly(new UserId("ana"));
  }

  @Test
  @DisplayName("a body is not read on while its batch is being written")
  void backPressure() throws Exception {
    Promise<Written> gate = Promise.promise();
    AtomicInteger batches = new AtomicInteger();
    CountDownLatch first = new CountDownLatch(1);
    serve(
        (user, messages) -> {
          first.countDown();
          Written written = new Written(Collections.nCopies(messages.size(), Outcome.NEW), 0);
          return batches.incrementAndGet() == 1 ? gate.future() : Future.succeededFuture(written);
        },
        CONFIG);
    AtomicInteger produced = new AtomicInteger();
    var answer = java.util.concurrent.CompletableFuture.supplyAsync(() -> server.streamed(
        "ana",
        "application/x-ndjson",
        () -> new Generated(100_000, i -> {
          produced.set(i);
          return Generated.line(i) + "\n";
        })));
    assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
    // 100,000 lines are 14 MB: far more than the sockets between the two can swallow.
    int stalled = awaitStall(produced);
    assertThat(stalled).isLessThan(99_999);
    assertThat(batches).hasValue(1);
    gate.complete(new Written(Collections.nCopies(500, Outcome.NEW), 0));
    assertThat(answer.get(60, TimeUnit.SECONDS).data().getLong("new")).isEqualTo(100_000);
  }

  /** Where production stands once it has not moved for half a second of the loop's timer. */
  private static int awaitStall(AtomicInteger produced) throws InterruptedException {
    CountDownLatch stalled = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger(-1);
    long timer = vertx.setPeriodic(500, tick -> {
      if (seen.getAndSet(produced.get()) == produced.get()) {
        stalled.countDown();
      }
    });
    assertThat(stalled.await(60, TimeUnit.SECONDS)).isTrue();
    vertx.cancelTimer(timer);
    return seen.get();
  }

  @Test
  @DisplayName("bad lines are numbered and named, the list is bounded, the count is exact")
  void rejections() {
    serve(writer, CONFIG);
    String good = Generated.line(1);
    Answer answer = server.ndjson(
        "ana",
        good + "\n\n{\n" + "{\"platform\":\"sms\"}\n" + good.replace("Ana", "x".repeat(5000))
            + "\n[]\n" + good.replace("m1", "m2"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getBoolean("success")).isTrue();
    assertThat(answer.data())
        .isEqualTo(new JsonObject()
            .put("new", 2)
            .put("changed", 0)
            .put("unchanged", 0)
            .put("deleted", 0)
            .put("rejected", 4)
            .put(
                "rejections",
                new JsonArray()
                    .add(new JsonObject().put("line", 3).put("code", "invalid_json"))
                    .add(new JsonObject()
                        .put("line", 4)
                        .put("code", "missing_field")
                        .put("field", "chatId"))
                    .add(new JsonObject().put("line", 5).put("code", "payload_too_large"))));
  }

  @Test
  @DisplayName("a body of nothing but rubbish is counted line by line")
  void rubbish() {
    serve(writer, CONFIG);
    Answer answer =
        server.streamed("ana", "application/x-ndjson", () -> new Generated(20_000, i -> "{\n"));
    assertThat(answer.data().getLong("rejected")).isEqualTo(20_000);
    assertThat(heard.rejected).hasValue(20_000);
    assertThat(answer.data().getJsonArray("rejections")).hasSize(3);
    assertThat(writer.sizes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/x-ndjson", "application/json", "Application/JSON; charset=\"UTF-8\""})
  @DisplayName("an empty body is a count of nothing")
  void empty(String type) {
    serve(writer, CONFIG);
    Answer answer = server.post("ana", type, BodyPublishers.ofString(""));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.data().getLong("new")).isZero();
    assertThat(writer.sizes).isEmpty();
    assertThat(woken).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "application/xml", "application/json; charset=utf-16"})
  @DisplayName("another content type is refused, and the connection serves on")
  void otherTypes(String type) {
    serve(writer, CONFIG);
    Answer answer = server.post("ana", type, BodyPublishers.ofString("x".repeat(200_000)));
    assertThat(answer.body()).startsWith("unsupported_media_type ");
    assertThat(server.ndjson("ana", Generated.line(1)).data().getLong("new")).isEqualTo(1);
  }

  @Test
  @DisplayName("a compressed body that nobody unpacked is refused, not read as rubbish")
  void compressed() {
    serve(writer, CONFIG);
    Answer answer = server.post(
        "ana", "application/x-ndjson", BodyPublishers.ofString("x"), "content-encoding", "gzip");
    assertThat(answer.body()).startsWith("unsupported_media_type ");
  }

  @Test
  @DisplayName("an array that was never one is a bad request that names the element")
  void noArray() {
    serve(writer, CONFIG);
    assertThat(server.json("ana", Generated.line(1)).body())
        .startsWith("invalid_request ")
        .contains("element 1");
    assertThat(server.json("ana", "[{},{\"platform\":").body())
        .startsWith("invalid_request ")
        .contains("element 2");
    assertThat(writer.sizes).isEmpty();
  }

  @Test
  @DisplayName("an array that breaks off keeps what was good and says where it broke")
  void brokenArray() {
    serve(writer, CONFIG);
    Answer answer =
        server.json("ana", "[" + Generated.line(1) + ", 5, " + Generated.line(2) + ",{\"plat");
    assertThat(answer.data().getLong("new")).isEqualTo(2);
    assertThat(answer.data().getJsonArray("rejections"))
        .containsExactly(
            new JsonObject().put("line", 2).put("code", "not_an_object"),
            new JsonObject().put("line", 4).put("code", "invalid_json"));
  }

  @Test
  @DisplayName(
      "a body over the limit is refused, by its head or by its bytes, and the connection serves on")
  void tooLarge() {
    serve(writer, new IngestConfig(4096, 100_000, 500, 3));
    Answer declared = server.ndjson("ana", "x".repeat(100_001));
    assertThat(declared.body()).startsWith("payload_too_large ");
    assertThat(writer.sizes).isEmpty();
    Answer streamed = server.streamed(
        "ana", "application/x-ndjson", () -> new Generated(5_000, i -> Generated.line(i) + "\n"));
    assertThat(streamed.body()).startsWith("payload_too_large ");
    assertThat(writer.lines()).isBetween(500, 800); // what came before stays
    assertThat(server.ndjson("ana", Generated.line(1)).data().getLong("new")).isEqualTo(1);
  }

  @Test
  @DisplayName("a store that fails is the answer, and the rest of the body is not written")
  void storeFails() {
    AtomicInteger batches = new AtomicInteger();
    serve(
        (user, messages) -> {
          batches.incrementAndGet();
          return Future.failedFuture(new GatewayError(
              GatewayError.Code.DEPENDENCY_UNAVAILABLE, "The database is not available."));
        },
        CONFIG);
    Answer answer = server.streamed(
        "ana", "application/x-ndjson", () -> new Generated(20_000, i -> Generated.line(i) + "\n"));
    assertThat(answer.body()).startsWith("dependency_unavailable ");
    assertThat(batches).hasValue(1);
  }

  @Test
  @DisplayName("a client that asks before it sends is told to go on")
  void expectContinue() throws Exception {
    serve(writer, CONFIG);
    byte[] body = Generated.line(1).getBytes(UTF_8);
    try (Socket socket = open()) {
      OutputStream out = socket.getOutputStream();
      out.write(
          head("content-length: " + body.length + "\r\nexpect: 100-continue").getBytes(UTF_8));
      out.flush();
      byte[] told = socket.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length());
      assertThat(new String(told, UTF_8)).startsWith("HTTP/1.1 100 ");
      out.write(body);
      out.flush();
      byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      assertThat(new String(status, UTF_8)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  @DisplayName("a client that leaves half-way keeps its finished batches and loses the rest")
  void clientLeaves() throws Exception {
    CountDownLatch written = new CountDownLatch(2);
    serve(
        (user, messages) -> writer.write(user, messages).onSuccess(done -> written.countDown()),
        CONFIG);
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 1_200; i++) {
      body.append(Generated.line(i)).append('\n');
    }
    try (Socket socket = open()) {
      socket.getOutputStream().write((head("content-length: 9999999") + body).getBytes(UTF_8));
      socket.getOutputStream().flush();
      assertThat(written.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(server.ndjson("ana", Generated.line(1)).data().getLong("new")).isEqualTo(1);
    assertThat(writer.sizes).containsExactly(500, 500, 1);
  }

  private Socket open() throws java.io.IOException {
    Socket socket = new Socket("localhost", server.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static String head(String headers) {
    return "POST /ai/messages HTTP/1.1\r\nhost: localhost\r\nx-user: ana\r\n"
        + "content-type: application/x-ndjson\r\n" + headers + "\r\n\r\n";
  }
}
