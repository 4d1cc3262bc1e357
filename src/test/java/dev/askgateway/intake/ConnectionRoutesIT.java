package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.e2e.LogWatch;
import dev.askgateway.intake.Door.Answer;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.byok.OwnServers;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Own keys over HTTP")
class ConnectionRoutesIT {
  private static final String CONNECTIONS = "/ai/connections";
  private static final String PROFILES = "/ai/model-profiles";
  private static final String SECRET = "sk-qzkey-1234567890";
  private static Door door;
  private static Door closed;
  private static UpstreamClient client;
  private static ScriptedProvider server;
  private LogWatch logs;

  @BeforeAll
  static void open() {
    String url = DevServices.shared().freshDatabase("routes");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 4, Duration.ofSeconds(5)))
        .migrate();
    door = new Door();
    door.database = url;
    server = ScriptedProvider.listen(
        door.vertx,
        ScriptedProvider.answer(
            "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"length\"}]}\n\n",
            "data: [DONE]\n\n"));
    client = OwnServers.client(door.vertx);
    door.connections = data -> OwnServers.connections(
        door.vertx, OwnServers.providers(OwnServers.CONFIG, data, client, server.baseUrl()), data);
    door.open();
    closed = new Door();
    closed.database = url;
    closed.open();
  }

  @AfterAll
  static void close() {
    Wait.on(client.close());
    door.close();
    closed.close();
  }

  @BeforeEach
  void watch() {
    logs = LogWatch.open();
  }

  @AfterEach
  void nothingWasLogged() {
    logs.isSilentOf(List.of("qzkey"));
    logs.close();
  }

  private static JsonObject draft() {
    return new JsonObject().put("providerType", "openai").put("secret", SECRET);
  }

  private static Answer send(Door at, String method, String path, JsonObject body) {
    HttpRequest.Builder request = at.signed(path).header("Content-Type", "application/json");
    return at.send(request.method(method, BodyPublishers.ofString(body.encode())));
  }

  private static String made() {
    return door.post(CONNECTIONS, draft()).data().getString("id");
  }

  @Test
  @DisplayName("a key is brought, tested, set to a task, changed and revoked, and never shown")
  void life() {
    Answer made = door.post(CONNECTIONS, draft());
    assertThat(made.status()).isEqualTo(201);
    String path = CONNECTIONS + "/" + made.data().getString("id");
    JsonObject choice =
        new JsonObject().put("connectionId", made.data().getString("id")).put("model", "model-1");
    Answer unnamed = door.post(path + "/test", new JsonObject());
    assertThat(unnamed.status()).isEqualTo(400);
    assertThat(unnamed.path()).isEqualTo("/model");
    Answer put = send(door, "PUT", PROFILES + "/assistant_grounded", choice);
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.data().getString("model")).isEqualTo("model-1");
    assertThat(put.data().getInteger("contextTokens")).isEqualTo(128_000);
    Answer tested = door.post(path + "/test", new JsonObject());
    assertThat(tested.data().getString("status")).isEqualTo("active");
    Answer rotated =
        door.post(path + "/rotate-secret", new JsonObject().put("secret", "sk-qzkey-other-wxyz"));
    assertThat(rotated.data().getString("fingerprint")).isEqualTo("wxyz");
    assertThat(rotated.data().getString("status")).isEqualTo("pending");
    Answer revoked = door.send(door.signed(path).DELETE());
    assertThat(revoked.data().getString("status")).isEqualTo("revoked");
    Answer profiles = door.get(PROFILES);
    assertThat(profiles.json().getJsonArray("data").getJsonObject(0).getString("status"))
        .isEqualTo("disabled");
    Answer deleted = door.send(door.signed(PROFILES + "/assistant_grounded").DELETE());
    assertThat(deleted.json()).isEqualTo(new JsonObject().put("success", true));
    assertThat(door.get(PROFILES).json().getJsonArray("data")).isEqualTo(new JsonArray());
    for (Answer answer : List.of(made, put, tested, rotated, revoked, door.get(CONNECTIONS))) {
      assertThat(answer.text()).doesNotContain("qzkey");
      assertThat(answer.header("cache-control")).isEqualTo("no-store");
    }
  }

  @Test
  @DisplayName("what is not there, or somebody else's, answers 404")
  void notThere() {
    String nobodys = CONNECTIONS + "/" + UUID.randomUUID();
    JsonObject secret = new JsonObject().put("secret", SECRET);
    JsonObject model = new JsonObject().put("model", "m");
    List<Answer> answers = List.of(
        door.post(nobodys + "/test", model),
        door.post(nobodys + "/test", new JsonObject()),
        door.post(nobodys + "/rotate-secret", secret),
        door.send(door.signed(nobodys).DELETE()),
        send(
            door,
            "PUT",
            PROFILES + "/reply",
            model.copy().put("connectionId", UUID.randomUUID().toString())));
    assertThat(answers).extracting(Answer::status).containsOnly(404);
    assertThat(answers).extracting(Answer::code).containsOnly("not_found");
  }

  @Test
  @DisplayName("where own keys are switched off nothing of it is there")
  void switchedOff() {
    String id = made();
    JsonObject choice = new JsonObject().put("connectionId", id).put("model", "m");
    List<Answer> answers = List.of(
        closed.get(CONNECTIONS),
        closed.post(CONNECTIONS, draft()),
        closed.post(CONNECTIONS + "/" + id + "/test", new JsonObject().put("model", "m")),
        closed.post(
            CONNECTIONS + "/" + id + "/rotate-secret", new JsonObject().put("secret", SECRET)),
        closed.send(closed.signed(CONNECTIONS + "/" + id).DELETE()),
        closed.get(PROFILES),
        send(closed, "PUT", PROFILES + "/reply", choice),
        closed.send(closed.signed(PROFILES + "/reply").DELETE()));
    assertThat(answers).extracting(Answer::status).containsOnly(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"providerType\":\"openai\"}",
        "{\"providerType\":\"azure\",\"secret\":\"sk-qzkey-1234567890\"}",
        "{\"providerType\":\"openai\",\"secret\":\"qzkey\"}",
        "{\"providerType\":\"openai\",\"secret\":\"sk qzkey 1234567890\"}",
        "{\"providerType\":\"openai\",\"secret\":\"sk-qzkey-1234567890\\n\"}",
        "{\"providerType\":\"openai\",\"secret\":\"sk-qzkey-\u00e4234567890\"}",
        "{\"providerType\":\"openai\",\"secret\":[\"sk-qzkey-1234567890\"]}",
        "{\"providerType\":\"openai\",\"secret\":\"sk-qzkey-1234567890\",\"displayName\":\" \"}",
        "{\"providerType\":\"openai\",\"secret\":\"sk-qzkey-1234567890\",\"baseUrl\":\"https://x.io\"}"
      })
  @DisplayName("a bad body is refused without being repeated")
  void badBodies(String body) {
    Answer refused = door.post(CONNECTIONS, body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).doesNotContain("qzkey");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"connectionId\":\"ID\"}",
        "{\"connectionId\":\"x\",\"model\":\"m\"}",
        "{\"connectionId\":\"ID\",\"model\":\"../m\"}",
        "{\"connectionId\":\"ID\",\"model\":\"m\",\"contextTokens\":1}",
        "{\"connectionId\":\"ID\",\"model\":\"m\",\"contextTokens\":1000,\"outputTokens\":1001}"
      })
  @DisplayName("a bad profile is refused")
  void badProfiles(String body) {
    JsonObject choice = new JsonObject(body.replace("ID", made()));

    assertThat(send(door, "PUT", PROFILES + "/reply", choice).status()).isEqualTo(400);
  }

  @Test
  @DisplayName("a task's role has one form")
  void badRole() {
    JsonObject choice = new JsonObject().put("connectionId", made()).put("model", "m");

    assertThat(send(door, "PUT", PROFILES + "/Reply%20x", choice).status()).isEqualTo(400);
  }

  @Test
  @DisplayName("nobody without a token gets to it")
  void tokenFirst() {
    assertThat(door.send(door.request(CONNECTIONS).GET()).status()).isEqualTo(401);
  }
}
