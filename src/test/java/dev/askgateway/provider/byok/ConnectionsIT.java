package dev.askgateway.provider.byok;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.e2e.LogWatch;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.ProfileRepository;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("People's own keys")
class ConnectionsIT {
  private static final String SECRET = "sk-qzkey-1234567890";
  private static final String ROLE = "assistant_grounded";
  private static final UserId ANA = new UserId("ana");
  private static final UserId BEN = new UserId("ben");
  private static final Consumer<Exchange> ANSWER = ScriptedProvider.answer(
      "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n",
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\n",
      "data: [DONE]\n\n");

  private static Vertx vertx;
  private static Database database;
  private static UpstreamClient client;
  private static Connection owner;
  private LogWatch logs;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("byok");
    StoreConfig store = new StoreConfig(url, url, "ask", "ask_gateway", 4, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    vertx = Vertx.vertx();
    database = new Database(vertx, store);
    client = OwnServers.client(vertx);
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run("SET search_path = ask, public");
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
    Wait.on(client.close());
    Wait.on(database.close());
    Wait.on(vertx.close());
  }

  @BeforeEach
  void clear() throws SQLException {
    run("DELETE FROM ai_connections");
    logs = LogWatch.open();
  }

  @AfterEach
  void nothingWasLogged() {
    logs.isSilentOf(List.of(SECRET, "qzkey", "qzupstream", OwnServers.OLD_KEY, OwnServers.NEW_KEY));
    logs.close();
  }

  private static void run(String sql) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String read(String sql) throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static ScriptedProvider server(Consumer<Exchange> script) {
    return ScriptedProvider.listen(vertx, script);
  }

  private static OwnProviders providers(ByokConfig config, ScriptedProvider server) {
    return OwnServers.providers(config, database, client, server.baseUrl());
  }

  private static Connections connections(ScriptedProvider server) {
    return OwnServers.connections(vertx, providers(OwnServers.CONFIG, server), database);
  }

  private static OwnModels models(ByokConfig config, ScriptedProvider server) {
    return new OwnModels(providers(config, server), Deadlines.DEFAULT);
  }

  private static Connections.Draft draft(String secret) {
    return new Connections.Draft("openai", "Mine", null, secret);
  }

  private static UUID create(Connections connections, UserId user, String secret) {
    return UUID.fromString(Wait.on(connections.create(user, draft(secret))).getString("id"));
  }

  private static void use(Connections connections, UserId user, UUID id) {
    Wait.on(connections.putProfile(
        user, ROLE, new ProfileRepository.Choice(id, "model-1", 8_000, 500)));
  }

  private static Optional<Plan> plan(OwnModels models, UserId user, String name) {
    return Wait.on(models.plan(user, name, Needs.NOTHING, Plan.Commit.TEXT));
  }

  private static Transcript call(Plan plan) {
    assertThat(plan.candidates()).hasSize(1);
    return Wait.onLoop(vertx, () -> plan.candidates()
        .get(0)
        .provider()
        .open(Prompts.request(), Deadlines.DEFAULT)
        .compose(Transcript::of));
  }

  private static Code code(org.assertj.core.api.ThrowableAssert.ThrowingCallable refused) {
    Throwable failure = org.assertj.core.api.Assertions.catchThrowable(refused);
    assertThat(failure).isInstanceOf(GatewayError.class);
    return ((GatewayError) failure).code();
  }

  @Test
  @DisplayName("a secret goes in and never comes out: not in an answer, not in the table")
  void writeOnly() throws SQLException {
    Connections connections = connections(server(ANSWER));
    JsonObject made = Wait.on(connections.create(ANA, draft(SECRET)));

    assertThat(made.encode()).doesNotContain(SECRET).doesNotContain("qzkey");
    assertThat(made.getString("fingerprint")).isEqualTo("7890");
    assertThat(made.getBoolean("configured")).isTrue();
    assertThat(made.getString("status")).isEqualTo("pending");
    assertThat(made.fieldNames()).doesNotContain("secret", "keyId", "secretVersion");
    assertThat(Wait.on(connections.list(ANA))).containsExactly(made);
    // As text, as hex and as base64, whole or in part.
    assertThat(read("SELECT c::text || encode(secret, 'escape') || encode(secret, 'base64')"
            + " FROM ai_connections c"))
        .doesNotContain(SECRET)
        .doesNotContain("qzkey")
        .doesNotContain("717a6b6579");
    JsonObject shorter = Wait.on(connections.create(ANA, draft("sk-qzkey-12")));
    assertThat(shorter.getString("fingerprint")).isNull();
  }

  @Test
  @DisplayName("nobody else's connection is there, whatever is wanted of it")
  void nobodyElses() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    UUID id = create(connections, ANA, SECRET);
    use(connections, ANA, id);

    assertThat(Wait.on(connections.list(BEN))).isEmpty();
    assertThat(Wait.on(connections.profiles(BEN))).isEmpty();
    assertThat(code(() -> Wait.on(connections.get(BEN, id)))).isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> Wait.on(connections.test(BEN, id, "m")))).isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> Wait.on(connections.revoke(BEN, id)))).isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> Wait.on(connections.rotateSecret(BEN, id, SECRET))))
        .isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> use(connections, BEN, id))).isEqualTo(Code.NOT_FOUND);
    OwnModels models = models(OwnServers.CONFIG, server);
    assertThat(plan(models, BEN, ROLE)).isEmpty();
    assertThat(code(() -> plan(models, BEN, "own/" + id + "/m"))).isEqualTo(Code.NOT_FOUND);
    Wait.on(connections.deleteProfile(BEN, ROLE));
    assertThat(plan(models, ANA, ROLE)).isPresent();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName("a task is served by the person's own model alone, with their key and their name")
  void ofTask() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    OwnModels models = models(OwnServers.CONFIG, server);
    assertThat(plan(models, ANA, ROLE)).isEmpty();
    use(connections, ANA, create(connections, ANA, SECRET));

    Plan plan = plan(models, ANA, ROLE).orElseThrow();

    assertThat(plan.name()).isEqualTo(ROLE);
    assertThat(plan.candidates().get(0).provider().name()).isEqualTo("byok-openai");
    assertThat(plan.candidates().get(0).provider().model()).isEqualTo("model-1");
    assertThat(plan.toString()).doesNotContain("qzkey");
    assertThat(call(plan).text()).isEqualTo("Hi");
    assertThat(server.requests()).hasSize(1);
    assertThat(server.requests().get(0).head().toLowerCase(java.util.Locale.ROOT))
        .contains("authorization: bearer " + SECRET)
        .doesNotContain("?");
    assertThat(server.requests().get(0).body()).contains("\"model\":\"model-1\"");
    assertThat(code(() -> Wait.on(
            models.plan(ANA, ROLE, new Needs(false, false, false, 8_000, 1), Plan.Commit.TEXT))))
        .isEqualTo(Code.CONTEXT_TOO_LARGE);
  }

  @Test
  @DisplayName("any model of a connection is asked for by its full name")
  void byName() {
    ScriptedProvider server = server(ANSWER);
    UUID id = create(connections(server), ANA, SECRET);

    Plan plan = plan(models(OwnServers.CONFIG, server), ANA, "own/" + id + "/meta/llama")
        .orElseThrow();

    assertThat(plan.name()).isEqualTo("own");
    assertThat(call(plan).text()).isEqualTo("Hi");
    assertThat(server.requests().get(0).body()).contains("\"model\":\"meta/llama\"");
  }

  @Test
  @DisplayName("a good test makes a connection active, by a call for one token")
  void goodTest() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    UUID id = create(connections, ANA, SECRET);

    JsonObject tested = Wait.onLoop(vertx, () -> connections.test(ANA, id, "model-1"));

    assertThat(tested.getString("status")).isEqualTo("active");
    assertThat(tested.getString("lastErrorCode")).isNull();
    assertThat(tested.getString("lastCheckedAt")).isNotNull();
    assertThat(tested.getJsonObject("capabilities"))
        .isEqualTo(new JsonObject()
            .put("model", "model-1")
            .put("streaming", true)
            .put("reportsUsage", true));
    assertThat(new JsonObject(server.requests().get(0).body()).getInteger("max_completion_tokens"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "401, invalid, account",
    "404, invalid, account",
    "400, invalid, refused",
    "429, rate_limited, rate_limited",
    "500, unreachable, unavailable",
    "302, unreachable, unavailable"
  })
  @DisplayName("a bad test is kept as a status and a code of ours, in none of the provider's words")
  void badTest(int upstream, String status, String error) throws SQLException {
    ScriptedProvider server = server(ScriptedProvider.status(
        upstream,
        "Location: http://127.0.0.1:1/\r\n",
        "{\"error\":{\"message\":\"qzupstream " + SECRET + "\"}}"));
    Connections connections = connections(server);
    UUID id = create(connections, ANA, SECRET);

    JsonObject tested = Wait.onLoop(vertx, () -> connections.test(ANA, id, "model-1"));

    assertThat(tested.getString("status")).isEqualTo(status);
    assertThat(tested.getString("lastErrorCode")).isEqualTo(error);
    assertThat(tested.encode()).doesNotContain("qz");
    assertThat(read("SELECT c::text FROM ai_connections c")).doesNotContain("qz");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  @DisplayName("no connection is tested while models are off, and what was known of it stays")
  void modelsOff() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = OwnServers.connections(
        vertx,
        providers(OwnServers.CONFIG, server),
        database,
        new ModelSwitch(true, new ExtractiveProvider(vertx)));
    UUID id = create(connections, ANA, SECRET);
    JsonObject before = Wait.on(connections.get(ANA, id));

    assertThat(code(() -> Wait.onLoop(vertx, () -> connections.test(ANA, id, "model-1"))))
        .isEqualTo(Code.MODELS_OFF);

    assertThat(Wait.on(connections.get(ANA, id))).isEqualTo(before);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName("a server that is not there makes it unreachable")
  void unreachable() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    UUID id = create(connections, ANA, SECRET);
    server.hangUp();

    JsonObject tested = Wait.onLoop(vertx, () -> connections.test(ANA, id, "model-1"));

    assertThat(tested.getString("status")).isEqualTo("unreachable");
  }

  @Test
  @DisplayName(
      "a new secret takes the old one's place, and what a test of the old one found is dropped")
  void rotateSecret() {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    UUID id = create(connections, ANA, SECRET);
    ConnectionRepository repository = new ConnectionRepository(database);
    int version = Wait.on(repository.find(ANA, id)).orElseThrow().secretVersion();

    JsonObject rotated = Wait.on(connections.rotateSecret(ANA, id, "sk-qzkey-other-wxyz"));
    Wait.on(repository.note(ANA, id, version, "invalid", "account", null));

    assertThat(rotated.getString("fingerprint")).isEqualTo("wxyz");
    assertThat(Wait.on(connections.get(ANA, id)).getString("status")).isEqualTo("pending");
    call(plan(models(OwnServers.CONFIG, server), ANA, "own/" + id + "/m").orElseThrow());
    assertThat(server.requests().get(0).head()).contains("sk-qzkey-other-wxyz");
  }

  @Test
  @DisplayName("a revoked connection has no secret, and its task is refused instead of given away")
  void revoke() throws SQLException {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    OwnModels models = models(OwnServers.CONFIG, server);
    UUID id = create(connections, ANA, SECRET);
    use(connections, ANA, id);
    Plan before = plan(models, ANA, ROLE).orElseThrow();

    JsonObject revoked = Wait.on(connections.revoke(ANA, id));

    assertThat(revoked.getString("status")).isEqualTo("revoked");
    assertThat(revoked.getBoolean("configured")).isFalse();
    assertThat(
            read("SELECT num_nonnulls(secret, key_id, credential_fingerprint) FROM ai_connections"))
        .isEqualTo("0");
    assertThat(Wait.on(connections.profiles(ANA)))
        .extracting(profile -> profile.getString("status"))
        .containsExactly("disabled");
    assertThat(code(() -> plan(models, ANA, ROLE))).isEqualTo(Code.NO_PROVIDER);
    assertThat(code(() -> plan(models, ANA, "own/" + id + "/m"))).isEqualTo(Code.NO_PROVIDER);
    assertThat(code(() -> use(connections, ANA, id))).isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> Wait.on(connections.rotateSecret(ANA, id, SECRET))))
        .isEqualTo(Code.NOT_FOUND);
    assertThat(Wait.on(connections.revoke(ANA, id)).getString("status")).isEqualTo("revoked");
    Wait.on(connections.deleteProfile(ANA, ROLE));
    assertThat(plan(models, ANA, ROLE)).isEmpty();
    // A call that was planned before goes on with what it was planned with.
    assertThat(call(before).text()).isEqualTo("Hi");
  }

  @Test
  @DisplayName(
      "a secret copied to another person's row, or a row turned to another address, is worth nothing")
  void moved() throws SQLException {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    UUID anas = create(connections, ANA, SECRET);
    UUID bens = create(connections, BEN, "sk-other-000000000");
    run("UPDATE ai_connections b SET secret = a.secret FROM ai_connections a"
        + " WHERE a.user_id = 'ana' AND b.user_id = 'ben'");
    OwnModels models = models(OwnServers.CONFIG, server);

    assertThatThrownBy(() -> call(plan(models, BEN, "own/" + bens + "/m").orElseThrow()))
        .isInstanceOf(GatewayError.class)
        .cause()
        .isInstanceOf(ProviderFailure.class)
        .hasMessage("ACCOUNT: the secret does not open");
    run("UPDATE ai_connections SET provider_type = 'gemini' WHERE user_id = 'ana'");
    assertThatThrownBy(() -> call(plan(models, ANA, "own/" + anas + "/m").orElseThrow()))
        .cause()
        .hasMessage("ACCOUNT: the secret does not open");
    run("UPDATE ai_connections SET provider_type = 'openai', base_url = 'https://evil.example'");
    assertThatThrownBy(() -> call(plan(models, ANA, "own/" + anas + "/m").orElseThrow()))
        .cause()
        .hasMessage("ACCOUNT: own addresses are switched off");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName(
      "after a new key is current a secret still opens, and is sealed anew when it is used")
  void keyRotation() throws SQLException {
    ScriptedProvider server = server(ANSWER);
    UUID id = create(connections(server), ANA, SECRET);
    OwnModels rotated = models(rotated(), server);

    assertThat(call(plan(rotated, ANA, "own/" + id + "/m").orElseThrow()).text())
        .isEqualTo("Hi");

    // The new seal is written beside the call: this waits for it by the row's own lock.
    Wait.on(new Resealing(new SecretBox(rotated()), new ConnectionRepository(database)).run(10));
    assertThat(read("SELECT key_id FROM ai_connections")).isEqualTo("new");
    ByokConfig newOnly =
        new ByokConfig(true, Map.of("new", OwnServers.NEW_KEY), "new", false, false);
    call(plan(models(newOnly, server), ANA, "own/" + id + "/m").orElseThrow());
    assertThat(server.requests()).hasSize(2).allMatch(asked -> asked.head().contains(SECRET));
  }

  private static ByokConfig rotated() {
    return new ByokConfig(
        true, Map.of("old", OwnServers.OLD_KEY, "new", OwnServers.NEW_KEY), "new", false, false);
  }

  @Test
  @DisplayName(
      "all persons' secrets are sealed anew page by page; one that does not open is left and told")
  void resealAll() throws SQLException {
    ScriptedProvider server = server(ANSWER);
    Connections connections = connections(server);
    for (int i = 0; i < 7; i++) {
      create(connections, new UserId("person-" + i), SECRET);
    }
    create(connections, ANA, SECRET);
    run("UPDATE ai_connections SET secret = '\\x00' WHERE user_id = 'person-3'");

    Resealing.Count count =
        Wait.on(new Resealing(new SecretBox(rotated()), new ConnectionRepository(database)).run(3));

    assertThat(count).isEqualTo(new Resealing.Count(7, 1));
    assertThat(read("SELECT count(*) FROM ai_connections WHERE key_id = 'new'")).isEqualTo("7");
    assertThat(read("SELECT user_id FROM ai_connections WHERE key_id = 'old'"))
        .isEqualTo("person-3");
  }

  @Test
  @DisplayName("a person has at most 20 connections, and as many revoked ones are remembered")
  void most() throws SQLException {
    Connections connections = connections(server(ANSWER));
    for (int i = 0; i < ConnectionRepository.MOST; i++) {
      create(connections, ANA, SECRET);
    }
    assertThat(code(() -> create(connections, ANA, SECRET))).isEqualTo(Code.REQUEST_CONFLICT);
    create(connections, BEN, SECRET);

    run("UPDATE ai_connections SET secret = NULL, key_id = NULL, status = 'revoked'"
        + " WHERE user_id = 'ana'");
    use(connections, BEN, create(connections, BEN, SECRET));
    for (int i = 0; i < 5; i++) {
      UUID id = create(connections, ANA, SECRET);
      use(connections, ANA, id);
      Wait.on(connections.revoke(ANA, id));
    }
    create(connections, ANA, SECRET);
    // 20 revoked ones without a profile are kept beside the one whose task is refused.
    assertThat(read(
            "SELECT count(*) FROM ai_connections WHERE user_id = 'ana' AND status = 'revoked'"))
        .isEqualTo("20");
    assertThat(Wait.on(connections.profiles(ANA))).hasSize(1);
  }

  @Test
  @DisplayName("a deleted row takes its profiles with it")
  void deleted() throws SQLException {
    Connections connections = connections(server(ANSWER));
    use(connections, ANA, create(connections, ANA, SECRET));

    run("DELETE FROM ai_connections WHERE user_id = 'ana'");

    assertThat(read("SELECT count(*) FROM ai_model_profiles")).isEqualTo("0");
  }

  @Test
  @DisplayName("own addresses are refused where only the vendors' own are possible")
  void ownAddress() {
    Connections connections = connections(server(ANSWER));
    Connections.Draft draft =
        new Connections.Draft("openai", null, "https://api.example.com/v1", SECRET);

    assertThatThrownBy(() -> Wait.on(connections.create(ANA, draft)))
        .isInstanceOfSatisfying(
            GatewayError.class, refused -> assertThat(refused.field()).isEqualTo("/baseUrl"));
    assertThat(draft.toString()).doesNotContain("qzkey");
  }

  @Test
  @DisplayName("a key for an own address goes there and nowhere else")
  void ownAddressOnly() {
    AtomicInteger there = new AtomicInteger();
    NetServer own = Wait.on(vertx
        .createNetServer()
        .connectHandler(socket -> {
          there.incrementAndGet();
          socket.close();
        })
        .listen(0, "127.0.0.1"));
    ScriptedProvider vendor = server(ANSWER);
    ByokConfig config = new ByokConfig(true, Map.of("old", OwnServers.OLD_KEY), "old", true, true);
    Connections connections = OwnServers.connections(vertx, providers(config, vendor), database);
    String address = "https://127.0.0.1:" + own.actualPort() + "/v1";

    JsonObject made =
        Wait.on(connections.create(ANA, new Connections.Draft("openai", null, address, SECRET)));
    JsonObject tested = Wait.onLoop(
        vertx, () -> connections.test(ANA, UUID.fromString(made.getString("id")), "model-1"));

    assertThat(made.getString("baseUrl")).isEqualTo(address);
    assertThat(tested.getString("status")).isEqualTo("unreachable");
    assertThat(there).hasPositiveValue();
    assertThat(vendor.connections()).isZero();
    Wait.on(own.close());
  }
}
