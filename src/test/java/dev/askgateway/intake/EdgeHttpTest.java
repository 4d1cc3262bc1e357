package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SilentListener;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.limit.Limit;
import dev.askgateway.budget.limit.LocalLimiter;
import dev.askgateway.core.Usage;
import dev.askgateway.intake.admission.AdmissionConfig;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.limit.LimitConfig;
import dev.askgateway.intake.limit.LimitParts;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiProvider;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The OpenAI-compatible edge")
class EdgeHttpTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final String CHAT = "/v1/chat/completions";
  private static final String DONE = "data: [DONE]\n\n";
  private static final String STOP =
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  private static final String USAGE =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\n";

  private final Door door = new Door();
  private final Promise<Void> mayGoOn = Promise.promise();
  private ScriptedProvider upstream;
  private Consumer<Exchange> script = ScriptedProvider.answer(delta("Hi"), STOP, USAGE, DONE);

  private static String delta(String text) {
    return "data: "
        + new JsonObject()
            .put(
                "choices",
                new JsonArray()
                    .add(new JsonObject().put("delta", new JsonObject().put("content", text))))
            .encode()
        + "\n\n";
  }

  @BeforeEach
  void listen() {
    upstream = ScriptedProvider.listen(door.vertx, exchange -> script.accept(exchange));
  }

  @AfterEach
  void close() {
    mayGoOn.tryComplete();
    door.close();
  }

  private Door open(Duration headAfter, EdgeConfig.Auth auth) {
    EdgeConfig config = new EdgeConfig(auth, EdgeConfig.Accounting.NONE, headAfter, 64 * 1024);
    door.edge = loop -> new EdgeParts(config, completions(loop));
    return door.open();
  }

  private Door open() {
    return open(Duration.ofSeconds(15), EdgeConfig.Auth.TOKEN);
  }

  private CompletionService completions(Vertx vertx) {
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    ModelConfig embedder = new ModelConfig(
        "vectors",
        "main",
        "e1",
        new Capabilities(8_192, 1, false, false, false, true, false, 3),
        ModelConfig.MaxTokensMember.MAX_TOKENS,
        true);
    Catalogue catalogue = Catalogue.of(
        List.of(ProviderConfig.of("main", upstream.baseUrl(), "k")),
        List.of(ModelConfig.of("main", "org/m:1"), embedder),
        List.of(Profile.of(
            "assistant_grounded",
            new Deadlines(
                Duration.ofSeconds(3),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(30)),
            "org/m:1")));
    PriceBooks prices = PriceBooks.of(new PriceBook("free", LocalDate.of(2026, 1, 1), Map.of()));
    ProviderFactory factory = new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
        return new OpenAiProvider(client, provider, model);
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
        return new Lengths();
      }
    };
    Models models =
        new Models(catalogue, factory, prices, new HealthBook(vertx, HealthListener.NONE));
    return new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        models,
        new FailoverGate(vertx),
        prices,
        Counting.o200k(vertx),
        Accounts.NONE,
        new SilentListener(),
        null));
  }

  /** The vector of a text tells its length. */
  private record Lengths() implements EmbeddingModel {
    @Override
    public String name() {
      return "main";
    }

    @Override
    public String model() {
      return "e1";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 100;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      return Future.succeededFuture(new Embeddings(
          request.texts().stream()
              .map(text -> new float[] {text.length(), 1, 0.5f})
              .toList(),
          new Usage(4, 0, 0, 0, 0, false)));
    }
  }

  private static JsonObject asking(boolean stream) {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", stream)
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Who?")));
  }

  private static JsonObject error(Door.Answer answer) {
    return answer.json().getJsonObject("error");
  }

  /** A request as a client writes it that reads its answer by hand. */
  private Socket send(JsonObject body) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8 * 1024);
    socket.connect(new java.net.InetSocketAddress("127.0.0.1", door.port()));
    socket.setSoTimeout(15_000);
    byte[] bytes = body.encode().getBytes(StandardCharsets.UTF_8);
    socket
        .getOutputStream()
        .write(("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + Tokens.hs256(Door.PERSON)
                + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(bytes);
    return socket;
  }

  private static String readUntil(Socket socket, String wanted) throws IOException {
    StringBuilder said = new StringBuilder();
    while (said.indexOf(wanted, said.length() - wanted.length() - 1) < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("a byte").isNotNegative();
      said.append((char) next);
    }
    return said.toString();
  }

  @Test
  @DisplayName("streams chunks with the head of an event stream, and usage only for who asked")
  void streams() {
    open();

    Door.Answer plain = door.post(CHAT, asking(true));
    Door.Answer counted = door.post(
        CHAT, asking(true).put("stream_options", new JsonObject().put("include_usage", true)));

    assertThat(plain.status()).isEqualTo(200);
    assertThat(plain.header("content-type")).isEqualTo("text/event-stream; charset=utf-8");
    assertThat(plain.header("cache-control")).isEqualTo("no-cache, no-transform");
    assertThat(plain.header("x-accel-buffering")).isEqualTo("no");
    assertThat(plain.header("x-request-id")).isNotEmpty();
    assertThat(plain.text())
        .contains("\"content\":\"Hi\"", "\"finish_reason\":\"stop\"")
        .doesNotContain("prompt_tokens")
        .endsWith(DONE);
    assertThat(counted.text()).contains("\"prompt_tokens\":12", "\"completion_tokens\":3");
  }

  @Test
  @DisplayName("where anybody may ask, nobody is limited")
  void unlimited() {
    Limit one = new Limit(1, 1, 1);
    List<String> limited = new CopyOnWriteArrayList<>();
    door.limits = new LimitParts(
        new LimitConfig(one, one, one, 0),
        new LocalLimiter(),
        (scope, reason) -> limited.add(scope.name()));
    open(Duration.ofSeconds(15), EdgeConfig.Auth.NONE);

    for (int i = 0; i < 3; i++) {
      Door.Answer answer = door.post(CHAT, asking(i == 0));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("ratelimit-limit")).isEmpty();
    }
    assertThat(limited).isEmpty();
  }

  @Test
  @DisplayName("answers in one piece for who does not stream")
  void collects() {
    open();

    JsonObject answer = door.post(CHAT, asking(false)).json();

    assertThat(answer.getString("object")).isEqualTo("chat.completion");
    JsonObject choice = answer.getJsonArray("choices").getJsonObject(0);
    assertThat(choice.getJsonObject("message").getString("content")).isEqualTo("Hi");
    assertThat(choice.getString("finish_reason")).isEqualTo("stop");
    assertThat(answer.getJsonObject("usage").getInteger("total_tokens")).isEqualTo(15);
  }

  @Test
  @DisplayName("what fails before the first output has a status, streamed or not")
  void failsEarly() {
    open();
    script = ScriptedProvider.status(500, "", "{\"error\":\"secret words\"}");

    for (boolean stream : new boolean[] {true, false}) {
      Door.Answer answer = door.post(CHAT, asking(stream));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(error(answer).getString("code")).isEqualTo("provider_failed");
      assertThat(error(answer).getString("type")).isEqualTo("server_error");
      assertThat(answer.text()).doesNotContain("secret");
    }
  }

  @Test
  @DisplayName("what fails after it is told in the stream, and is a status for who does not stream")
  void failsLate() {
    open();
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(delta("Hal"));
      exchange.endBody(); // neither a reason nor the end marker
    };

    Door.Answer streamed = door.post(CHAT, asking(true));
    Door.Answer whole = door.post(CHAT, asking(false));

    assertThat(streamed.status()).isEqualTo(200);
    assertThat(streamed.text())
        .contains("\"content\":\"Hal\"", "data: {\"error\":{", "\"provider_truncated\"")
        .doesNotContain("finish_reason\":\"")
        .endsWith(DONE);
    assertThat(whole.status()).isEqualTo(502);
    assertThat(error(whole).getString("code")).isEqualTo("provider_truncated");
  }

  @Test
  @DisplayName("a first output that takes long gets the head and comments meanwhile")
  void headAfter() throws IOException {
    open(Duration.ofMillis(50), EdgeConfig.Auth.TOKEN);
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      mayGoOn.future().onSuccess(now -> exchange.close());
    };

    try (Socket socket = send(asking(true))) {
      String head = readUntil(socket, ": keep-alive\n\n");
      mayGoOn.complete();
      String rest = readUntil(socket, DONE);

      assertThat(head).startsWith("HTTP/1.1 200 OK").contains("text/event-stream");
      assertThat(rest).contains("data: {\"error\":{").contains("\"provider_truncated\"");
    }
  }

  @Test
  @DisplayName("the first output goes out while the model is still at work")
  void firstAtOnce() throws IOException {
    open();
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(delta("first"));
      mayGoOn.future().onSuccess(now -> {
        exchange.chunk(delta("second") + STOP + DONE);
        exchange.endBody();
      });
    };

    try (Socket socket = send(asking(true))) {
      assertThat(readUntil(socket, "first")).doesNotContain("second");
      mayGoOn.complete();
      assertThat(readUntil(socket, DONE)).contains("second");
    }
  }

  @Test
  @DisplayName("a client that leaves stops the model, before and after the first output")
  void leaves() throws IOException {
    open();
    Promise<Void> asked = Promise.promise();
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      asked.complete();
    };
    try (Socket socket = send(asking(true))) {
      Wait.on(asked.future());
      socket.shutdownOutput();
    }
    Wait.on(upstream.closed(0));

    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(delta("first"));
    };
    try (Socket socket = send(asking(true))) {
      readUntil(socket, "first");
    }
    Wait.on(upstream.closed(1));
  }

  @Test
  @DisplayName("a slow reader gets every byte, in order, and a stream of a thousand pieces")
  void slowReader() throws IOException {
    open();
    String text = "x".repeat(4_000);
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      for (int i = 0; i < 1_000; i++) {
        exchange.chunk(delta(i + ":" + text));
      }
      exchange.chunk(STOP + DONE);
      exchange.endBody();
    };

    try (Socket socket = send(asking(true))) {
      readUntil(socket, "\"content\":\"0:");
      String rest = readUntil(socket, DONE);
      int at = 0;
      for (int i = 1; i < 1_000; i++) {
        at = rest.indexOf("\"content\":\"" + i + ":", at);
        assertThat(at).as("piece " + i).isNotNegative();
      }
    }
  }

  @Test
  @DisplayName("requests that are refused say so in OpenAI's shape")
  void refused() {
    open();

    Door.Answer wrong = door.post(CHAT, asking(false).put("temperature", 9));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(error(wrong).getString("param")).isEqualTo("temperature");
    assertThat(error(wrong).getString("type")).isEqualTo("invalid_request_error");

    Door.Answer choices = door.post(CHAT, asking(false).put("n", 2));
    assertThat(choices.status()).isEqualTo(400);
    assertThat(error(choices).getString("code")).isEqualTo("unsupported");

    Door.Answer model = door.post(CHAT, asking(true).put("model", "nobody"));
    assertThat(model.status()).isEqualTo(404);
    assertThat(error(model).getString("code")).isEqualTo("model_not_found");

    Door.Answer broken = door.post(CHAT, "[1]");
    assertThat(broken.status()).isEqualTo(400);
    assertThat(door.post(CHAT, "{\"model\":").status()).isEqualTo(400);

    Door.Answer path = door.get("/v1/completions");
    assertThat(path.status()).isEqualTo(404);
    assertThat(error(path).getString("code")).isEqualTo("not_found");

    Door.Answer method = door.get(CHAT);
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.header("allow")).isEqualTo("POST");
    assertThat(error(method).getString("code")).isEqualTo("method_not_allowed");

    Door.Answer large = door.post(CHAT, asking(false).put("user", "x".repeat(70_000)));
    assertThat(large.status()).isEqualTo(413);
    assertThat(error(large).getString("code")).isEqualTo("payload_too_large");
    assertThat(upstream.requests()).isEmpty();
  }

  @Test
  @DisplayName("nobody asks without a token, unless everybody may")
  void auth() {
    open();
    Door.Answer refused = door.send(door.request("/v1/models").GET());

    assertThat(refused.status()).isEqualTo(401);
    assertThat(error(refused).getString("type")).isEqualTo("authentication_error");
    assertThat(refused.header("www-authenticate")).isEqualTo("Bearer");
  }

  @Test
  @DisplayName("without authentication everybody asks, over the edge alone")
  void everybody() {
    open(Duration.ofSeconds(15), EdgeConfig.Auth.NONE);

    assertThat(door.send(door.request("/v1/models").GET()).status()).isEqualTo(200);
    assertThat(door.send(door.request("/ai/assistant/threads").GET()).status()).isEqualTo(401);
  }

  @Test
  @DisplayName("without questions the edge and what operates the node are there, and nothing else")
  void edgeOnly() {
    door.questions = false;
    open();

    assertThat(door.post(CHAT, asking(false)).status()).isEqualTo(200);
    assertThat(door.get("/health/live").status()).isEqualTo(200);
    assertThat(door.get("/metrics").status()).isEqualTo(200);
    assertThat(door.get("/ai/assistant/threads").status()).isEqualTo(404);
  }

  @Test
  @DisplayName("says in OpenAI's shape that it is busy, of completions and vectors alike")
  void overloaded() {
    door.admission = onlyOne();
    script = exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(delta("Hi"));
      mayGoOn.future().onSuccess(now -> {
        exchange.chunk(STOP + USAGE + DONE);
        exchange.endBody();
      });
    };
    open();
    var first = door.http.sendAsync(
        door.signed(CHAT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(asking(false).encode()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
    Door.until(() -> !upstream.requests().isEmpty());

    Door.Answer chat = door.post(CHAT, asking(true));
    Door.Answer vectors =
        door.post("/v1/embeddings", new JsonObject().put("model", "vectors").put("input", "four"));

    for (Door.Answer refused : List.of(chat, vectors)) {
      assertThat(refused.status()).isEqualTo(503);
      assertThat(error(refused).getString("code")).isEqualTo("overloaded");
      assertThat(error(refused).getString("type")).isEqualTo("server_error");
      assertThat(refused.header("retry-after")).isNotEmpty();
    }
    assertThat(door.admissions.inFlight()).isZero(); // the model is asked: the wait is the model's
    mayGoOn.complete();
    assertThat(first.join().statusCode()).isEqualTo(200);
    assertThat(door.post(CHAT, asking(false)).status()).isEqualTo(200);
    assertThat(upstream.requests()).hasSize(2);
    assertThat(door.admissions.open()).isZero();
  }

  @Test
  @DisplayName("of a stream that was turned away nothing is left that would write to it later")
  void overloadedStream() throws Exception {
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    door.vertx.exceptionHandler(thrown::add);
    door.admission = onlyOne();
    script = exchange -> {
      // says nothing, so that the heads of streams go out by their timers
    };
    open(Duration.ofMillis(1), EdgeConfig.Auth.TOKEN);
    HttpRequest asked = door.signed(CHAT)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(asking(true).encode()))
        .build();

    HttpResponse<InputStream> first =
        door.http.send(asked, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(door.post(CHAT, asking(true)).status()).isEqualTo(503);
    first.body().close();
    Door.until(() -> door.admissions.open() == 0);
    HttpResponse<InputStream> next =
        door.http.send(asked, HttpResponse.BodyHandlers.ofInputStream());

    // Its timer is due after that of the one that was turned away would have been, on the same
    // loop.
    assertThat(next.statusCode()).isEqualTo(200);
    assertThat(thrown).isEmpty();
    next.body().close();
  }

  private static AdmissionConfig onlyOne() {
    Duration never = Duration.ofMinutes(1);
    return new AdmissionConfig(true, 1, 10, never, never, never, Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("half a surrogate pair in a request goes on as a replacement character")
  void halfPair() {
    open();

    Door.Answer answer = door.post(
        CHAT,
        "{\"model\":\"assistant_grounded\",\"messages\":[{\"role\":\"user\",\"content\":"
            + "\"a\\ud83d b \\ud83d\\ude00\"}]}");

    assertThat(answer.status()).isEqualTo(200);
    JsonObject sent = new JsonObject(upstream.requests().get(0).body());
    assertThat(sent.getJsonArray("messages").getJsonObject(0).getString("content"))
        .isEqualTo("a\uFFFD b \uD83D\uDE00");
  }

  @Test
  @DisplayName("a client that waits for 100-continue is let go on")
  void waitsToContinue() throws IOException {
    open();
    String body = asking(false).encode();

    String said = door.raw(
        "POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + Tokens.hs256(Door.PERSON) + "\r\nContent-Type: application/json\r\n"
            + "Expect: 100-continue\r\nContent-Length: " + body.length() + "\r\n\r\n",
        "100 Continue");

    assertThat(said).startsWith("HTTP/1.1 100 Continue");
  }

  @Test
  @DisplayName("lists profiles and models, and each alone by its id")
  void models() {
    open();

    JsonObject list = door.get("/v1/models").json();
    assertThat(list.getString("object")).isEqualTo("list");
    assertThat(list.getJsonArray("data").stream().map(one -> ((JsonObject) one).getString("id")))
        .containsExactly("assistant_grounded", "org/m:1", "vectors");
    assertThat(door.get("/v1/models/org/m:1").json().getString("owned_by")).isEqualTo("main");
    assertThat(door.get("/v1/models/org%2Fm%3A1").json().getString("id")).isEqualTo("org/m:1");
    Door.Answer unknown = door.get("/v1/models/none");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(error(unknown).getString("code")).isEqualTo("model_not_found");
  }

  @Test
  @DisplayName("gives vectors of texts in their order")
  void embeddings() {
    open();
    JsonObject asked = new JsonObject()
        .put("model", "vectors")
        .put("input", new JsonArray().add("four").add("seventeen letters"));

    JsonObject list = door.post("/v1/embeddings", asked).json();
    Door.Answer unknown = door.post("/v1/embeddings", asked.copy().put("model", "none"));

    assertThat(
            list.getJsonArray("data").getJsonObject(0).getJsonArray("embedding").getList())
        .containsExactly(4.0, 1.0, 0.5);
    assertThat(
            list.getJsonArray("data").getJsonObject(1).getJsonArray("embedding").getDouble(0))
        .isEqualTo(17.0);
    assertThat(list.getJsonObject("usage").getInteger("total_tokens")).isEqualTo(4);
    assertThat(unknown.status()).isEqualTo(404);
  }
}
