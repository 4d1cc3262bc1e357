package dev.askgateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.answer.PlannerConfig;
import dev.askgateway.budget.BudgetConfig;
import dev.askgateway.budget.MoneyText;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.byok.ByokConfig;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.store.BudgetPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The configuration")
class ConfigLoaderTest {
  static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir
  Path folder;

  /** The least that a gateway needs, and more: name, value, name, value. */
  static Map<String, String> environment(String... more) {
    Map<String, String> environment = new HashMap<>(Map.of(
        "DATABASE_URL", "postgresql://ana:pw-ana@db.example/ask",
        "REDIS_URL", "redis://:pw-redis@cache.example:6379",
        "ASK_AUTH_SECRET", SECRET,
        "HOME", "/root"));
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("mine.yaml"), yaml);
  }

  private static List<String> problems(Path file, Map<String, String> environment) {
    return catchThrowableOfType(InvalidConfig.class, () -> ConfigLoader.load(file, environment))
        .problems();
  }

  @Test
  @DisplayName("has a default for all but addresses and secrets")
  void defaults() {
    GatewayConfig config = ConfigLoader.load(null, environment());

    assertThat(config.http().port()).isEqualTo(8080);
    assertThat(config.http().maxBodyBytes()).isEqualTo(10L << 20);
    assertThat(config.http().corsOrigins()).isEmpty();
    assertThat(config.http().loops()).isPositive();
    assertThat(config.auth().skew()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.database().orElseThrow().migrateOnStart()).isTrue();
    assertThat(config.answer().reveal()).isEqualTo(AnswerConfig.Reveal.CITED);
    assertThat(config.http().replayWindow()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.ingest().maxBodyBytes()).isEqualTo(1L << 30);
    assertThat(config.models().prices().models()).isEmpty();
  }

  @Test
  @DisplayName("has the defaults that the rooms were measured with")
  void roomsDefaults() {
    GatewayConfig config = ConfigLoader.load(null, environment());

    assertThat(config.retrieval()).isEqualTo(RetrievalConfig.DEFAULT);
    assertThat(config.prompt()).isEqualTo(PromptConfig.DEFAULT);
    assertThat(config.planner()).isEqualTo(PlannerConfig.OFF);
    assertThat(config.indexing()).isEqualTo(IndexingConfig.DEFAULT);
    assertThat(config.embedding()).isEqualTo(OnnxConfig.DEFAULT);
    assertThat(config.upstream()).isEqualTo(ClientLimits.DEFAULT);
  }

  @Test
  @DisplayName("plans by a model only where there is one, be it people's own")
  void planner() {
    assertThat(problems(null, environment("ASK_RETRIEVAL_PLANNER_ENABLED", "true")))
        .containsExactly("retrieval.planner.enabled is true; it must be false, or a model of"
            + " profiles.query_planner be set up (environment ASK_RETRIEVAL_PLANNER_ENABLED)");
    GatewayConfig there = ConfigLoader.load(
        null,
        environment(
            "ASK_RETRIEVAL_PLANNER_ENABLED", "true",
            "OPENAI_API_KEY", "sk-1",
            "OPENAI_MODEL", "m",
            "ASK_MODELS_OPENAI_DEFAULT_STRUCTURED_OUTPUT", "true"));
    assertThat(there.planner().enabled()).isTrue();
  }

  @Test
  @DisplayName("gives no budget unless one is written, and reads dollars to the micro-dollar")
  void budget() throws IOException {
    BudgetConfig none = ConfigLoader.load(null, environment()).budget();
    assertThat(none.policy()).isEqualTo(BudgetPolicy.NONE);
    assertThat(none.overage()).isFalse();

    Path file = file("budget: {monthly: \"5.00\", requestCap: \"0.000001\", overage: true}\n");
    BudgetConfig some = ConfigLoader.load(
            file, environment("ASK_BUDGET_DAILY_WARNING", "0", "ASK_BUDGET_OPEN_HOLDS", "3"))
        .budget();
    assertThat(some.policy()).isEqualTo(new BudgetPolicy(5_000_000L, 1L, 0L, 3));
    assertThat(some.overage()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "5,00", "0.0000001", "1000000.01", "1e3", "05", "five", " 5"})
  @DisplayName("takes no amount that is not plainly one")
  void amounts(String amount) {
    assertThat(problems(null, environment("ASK_BUDGET_MONTHLY", amount)))
        .singleElement()
        .asString()
        .startsWith("budget.monthly is ")
        .contains(MoneyText.RULE);
  }

  @Test
  @DisplayName("migrates by the gateway's own address when no other is given")
  void migrationUrlFollowsUrl() {
    assertThat(ConfigLoader.load(null, environment())
            .database()
            .orElseThrow()
            .store()
            .migrationUrl())
        .isEqualTo("postgresql://ana:pw-ana@db.example/ask");
    assertThat(ConfigLoader.load(
                null, environment("DATABASE_MIGRATION_URL", "postgresql://owner:o@db/ask"))
            .database()
            .orElseThrow()
            .store()
            .migrationUrl())
        .isEqualTo("postgresql://owner:o@db/ask");
  }

  @Test
  @DisplayName("is the defaults, under the file, under the well-known names, under ASK_ names")
  void layers() throws IOException {
    Path file = file("http:\n  port: 1\n  host: h1\n  corsOrigins: [https://a.example]\n");

    IntakeConfig onlyFile = ConfigLoader.load(file, environment()).http();
    assertThat(onlyFile.port()).isEqualTo(1);
    assertThat(onlyFile.host()).isEqualTo("h1");
    assertThat(onlyFile.corsOrigins()).containsExactly("https://a.example");

    assertThat(ConfigLoader.load(file, environment("PORT", "2")).http().port()).isEqualTo(2);
    assertThat(ConfigLoader.load(file, environment("PORT", "2", "ASK_HTTP_PORT", "3"))
            .http()
            .port())
        .isEqualTo(3);
    assertThat(ConfigLoader.load(
                file,
                environment("ASK_HTTP_CORS_ORIGINS", "https://b.example, http://localhost:3000"))
            .http()
            .corsOrigins())
        .containsExactly("https://b.example", "http://localhost:3000");
  }

  @Test
  @DisplayName("takes the file that GATEWAY_CONFIG names, unless the command line names one")
  void fileByEnvironment() throws IOException {
    Path file = file("http:\n  port: 7\n");
    Map<String, String> environment = environment(ConfigLoader.FILE_VARIABLE, file.toString());
    assertThat(ConfigLoader.load(null, environment).http().port()).isEqualTo(7);

    Path other = Files.writeString(folder.resolve("other.yaml"), "http: {port: 9}\n");
    assertThat(ConfigLoader.load(other, environment).http().port()).isEqualTo(9);
  }

  @Test
  @DisplayName("takes an empty file, and one of comments, for nothing set")
  void emptyFile() throws IOException {
    assertThat(ConfigLoader.load(file(""), environment()).http().port()).isEqualTo(8080);
    assertThat(ConfigLoader.load(file("# later\n"), environment()).http().port())
        .isEqualTo(8080);
  }

  @Test
  @DisplayName("keeps a secret of digits as it was written")
  void secretOfDigits() throws IOException {
    String digits = "0012345670012345670012345670012345.10";
    Map<String, String> environment = environment();
    environment.remove("ASK_AUTH_SECRET");
    assertThat(ConfigLoader.load(file("auth:\n  secret: " + digits + "\n"), environment)
            .auth()
            .secret())
        .isEqualTo(digits);
  }

  @Test
  @DisplayName("tells every problem at once: key, value, rule and where it was set")
  void allProblems() throws IOException {
    Path file = file("""
        http:
          port: 70000
          host: ""
          maxBodyBytes: big
          drainTimeout: 10
        htp:
          port: 1
        stream:
          reveal: some
          heartbeat: 0s
        database:
          poolSize: 0
          acquireTimeout: 0s
        """);
    List<String> problems = problems(
        file,
        environment(
            "ASK_AUTH_SECERT", "typo-value",
            "ASK_PROMPT_TEMPERATURE", "1.5",
            "ASK_DATABASE_MIGRATE_ON_START", "yes"));

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "htp.port is ***; there is no such key (file " + file + " line 7)",
            "ASK_AUTH_SECERT is ***; there is no such key (environment)",
            "http.port is 70000; it must be 0 to 65535 (file " + file + " line 2)",
            "http.host is missing; it must be an address or a name to listen on (file " + file
                + " line 3)",
            "http.maxBodyBytes is big; it must be a size such as 262144, 256KiB, 10MiB (file "
                + file + " line 4)",
            "http.drainTimeout is 10; it must be a duration such as 250ms, 15s, 2m (file " + file
                + " line 5)",
            "stream.reveal is some; it must be cited or pack (file " + file + " line 9)",
            "stream.heartbeat is 0s; it must be 1ms to 1h (file " + file + " line 10)",
            "database.poolSize is 0; it must be 1 to 1000 (file " + file + " line 12)",
            "database.acquireTimeout is 0s; it must be 1ms to 10m (file " + file + " line 13)",
            "prompt.temperature is 1.5; it must be 0 to 1 (environment ASK_PROMPT_TEMPERATURE)",
            "database.migrateOnStart is yes; it must be true or false"
                + " (environment ASK_DATABASE_MIGRATE_ON_START)");
  }

  @Test
  @DisplayName("names each missing address and secret, and still checks the rest")
  void missing() {
    assertThat(problems(null, Map.of("ASK_DATABASE_POOL_SIZE", "-1", "ASK_REDIS_TIMEOUT", "0s")))
        .containsExactlyInAnyOrder(
            "auth.secret is missing; it must be set, unless auth.jwksUrl is (set it in a file or as"
                + " ASK_AUTH_SECRET)",
            "database.url is missing; it must be postgresql://user:password@host:port/database"
                + " (set it in a file or as ASK_DATABASE_URL)",
            "database.poolSize is -1; it must be 1 to 1000 (environment ASK_DATABASE_POOL_SIZE)",
            "redis.url is missing; it must be redis://[:password@]host:port or rediss://"
                + " (set it in a file or as ASK_REDIS_URL)",
            "redis.timeout is 0s; it must be 1ms to 1m" + " (environment ASK_REDIS_TIMEOUT)");
  }

  @Test
  @DisplayName("needs no database and no Redis for the edge alone when nobody is charged")
  void edgeAlone() {
    Map<String, String> bare = Map.of(
        "ASK_AUTH_SECRET", SECRET,
        "ASK_SURFACES", "edge",
        "ASK_EDGE_AUTH", "none",
        "ASK_EDGE_ACCOUNTING", "none");
    GatewayConfig config = ConfigLoader.load(null, bare);
    Map<String, String> open = new HashMap<>(bare);
    open.remove(
        "ASK_AUTH_SECRET"); // nothing asks for a token: nobody can know the one that stands in
    assertThat(ConfigLoader.load(null, open).auth().secret())
        .isNotEqualTo(ConfigLoader.load(null, open).auth().secret());
    assertThat(config.needsStore()).isFalse();
    assertThat(config.surfaces()).containsExactly(Surface.EDGE);
    assertThat(config.database()).isEmpty();
    assertThat(config.redis()).isEmpty();

    Map<String, String> charged = new HashMap<>(bare);
    charged.put("ASK_EDGE_AUTH", "token");
    charged.put("ASK_EDGE_ACCOUNTING", "ledger");
    Map<String, String> asking = new HashMap<>(open);
    asking.put("ASK_EDGE_AUTH", "token");
    assertThat(problems(null, asking))
        .singleElement()
        .asString()
        .startsWith("auth.secret is missing");
    assertThat(problems(null, charged))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("database.url is missing"))
        .anyMatch(line -> line.startsWith("redis.url is missing"));
  }

  @Test
  @DisplayName("serves both surfaces, edge calls by token and charged, and keeps nobody's keys")
  void surfaces() {
    GatewayConfig config = ConfigLoader.load(null, environment());
    assertThat(config.surfaces()).containsExactlyInAnyOrder(Surface.ASK, Surface.EDGE);
    assertThat(config.edge())
        .isEqualTo(new EdgeConfig(
            EdgeConfig.Auth.TOKEN,
            EdgeConfig.Accounting.LEDGER,
            Duration.ofSeconds(15),
            10L << 20));
    assertThat(config.byok()).isEqualTo(ByokConfig.DISABLED);
    assertThat(problems(null, environment("ASK_EDGE_AUTH", "none")))
        .containsExactly("edge.accounting is ledger; it must be none when edge.auth is none: there"
            + " is nobody to charge (default)");
    assertThat(problems(null, environment("ASK_SURFACES", "ask,admin")))
        .containsExactly("surfaces is ask,admin; it must be one or more of ask, edge"
            + " (environment ASK_SURFACES)");
  }

  @Test
  @DisplayName("gives no managed provider a name that means a person's own")
  void ownNames() throws IOException {
    Path file = file("""
        providers:
          byok-openai: {dialect: openai, baseUrl: "http://h/v1", apiKey: k}
        """);
    assertThat(problems(file, environment()))
        .containsExactly("providers.byok-openai cannot be; names with byok- are those of people's"
            + " own providers (file " + file + " line 2)");
  }

  @Test
  @DisplayName("takes keys that people's own keys are encrypted with, and never shows them")
  void byok() {
    String key = "B".repeat(43) + "=";
    GatewayConfig config = ConfigLoader.load(
        null,
        environment(
            "ASK_BYOK_ENABLED", "true",
            "ASK_BYOK_KEYS", "old=" + key + ",new=" + key,
            "ASK_BYOK_CURRENT_KEY", "new"));
    assertThat(config.byok().keys()).isEqualTo(Map.of("old", key, "new", key));
    assertThat(config.providerNames())
        .containsAll(config.models().providerNames())
        .contains("byok-openai", "byok-anthropic", "byok-gemini");
    assertThat(ConfigLoader.load(null, environment()).providerNames())
        .noneMatch(name -> name.startsWith("byok-"));
    assertThat(problems(null, environment("ASK_BYOK_ENABLED", "true")))
        .singleElement()
        .asString()
        .startsWith("byok.keys is missing; it must be at least one key");
    assertThat(problems(
            null, environment("ASK_BYOK_KEYS", "k=" + key, "ASK_BYOK_CURRENT_KEY", "other")))
        .containsExactly("byok.currentKey is other; it must be the id of one of byok.keys"
            + " (environment ASK_BYOK_CURRENT_KEY)");
    assertThat(
            problems(null, environment("ASK_BYOK_KEYS", "k=c2hvcnQ=", "ASK_BYOK_CURRENT_KEY", "k")))
        .singleElement()
        .asString()
        .startsWith("byok.keys is ***; it must be 32 random bytes in base64");
  }

  @Test
  @DisplayName("trusts keys of one kind only")
  void oneKindOfKeys() {
    assertThat(problems(null, environment("ASK_AUTH_JWKS_URL", "https://id.example/jwks")))
        .hasSize(3)
        .anyMatch(line ->
            line.startsWith("auth.secret is ***; it must be empty when auth.jwksUrl is set"))
        .anyMatch(line -> line.startsWith("auth.issuer is missing"))
        .anyMatch(line -> line.startsWith("auth.audience is missing"));
    assertThat(problems(null, environment("ASK_AUTH_SECRET", "short")))
        .singleElement()
        .asString()
        .startsWith("auth.secret is ***; it must be at least 32 bytes long")
        .doesNotContain("short");
  }

  @ParameterizedTest
  @DisplayName("holds its sections against each other, and names the key that has to give")
  @CsvSource(
      delimiter = ';',
      value = {
        "ASK_HTTP_IDLE_TIMEOUT;2m;http.idleTimeout is 2m; it must be longer than"
            + " profiles.assistant_grounded.total, 2m"
            + " (environment ASK_HTTP_IDLE_TIMEOUT)",
        "ASK_STREAM_HEARTBEAT;6m;http.idleTimeout is 5m; it must be longer than stream.heartbeat,"
            + " 6m (default)",
        "ASK_INDEXING_BATCH_SIZE;300;embedding.passageQueue is 512; it must be at least"
            + " indexing.concurrency times indexing.batchSize, 600 (default)",
        "ASK_ANSWER_SWEEP_INTERVAL;16s;answer.sweepInterval is 16s; it must be at most"
            + " answer.lease, 15s (environment ASK_ANSWER_SWEEP_INTERVAL)",
        "ASK_ANSWER_REPLAY_WINDOW;9m;redis.turnLogTtl is 10m; it must be at least"
            + " profiles.assistant_grounded.total and answer.replayWindow together, 11m (default)",
        "ASK_INDEXING_RETRY_BASE;6m;indexing.retryCeiling is 5m; it must be at least"
            + " indexing.retryBase, 6m (default)",
      })
  void acrossSections(String variable, String value, String key, String rule) {
    assertThat(problems(null, environment(variable, value))).containsExactly(key + "; " + rule);
  }

  @Test
  @DisplayName("finds what is wrong between sections also beside a missing address")
  void acrossAndMissing() {
    Map<String, String> environment = environment("ASK_HTTP_IDLE_TIMEOUT", "1s", "PORT", "-1");
    environment.remove("DATABASE_URL");
    assertThat(problems(null, environment))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("database.url is missing"))
        .anyMatch(line -> line.startsWith("http.port is -1"))
        .anyMatch(line -> line.startsWith("http.idleTimeout is 1s"));
  }

  @Test
  @DisplayName("never shows what an address or a secret was mistyped as")
  void mistypedSecrets() {
    assertThat(String.join(
            "\n",
            problems(
                null,
                environment(
                    "DATABASE_URL", "postgresql//ana:pw-typo@db/ask",
                    "REDIS_URL", "http://:pw-typo@cache",
                    "OPENAI_BASE_URL", "https://u:pw-typo@llm/v1",
                    "ASK_AUTH_SECRET", "pw-typo"))))
        .contains("database.url is ***", "redis.url is http://:***@cache")
        .contains("providers.openai.baseUrl is https://u:***@llm/v1", "auth.secret is ***")
        .doesNotContain("pw-typo");
  }

  @ParameterizedTest
  @DisplayName("does not take")
  @ValueSource(
      strings = {
        "http:\n  port:\n",
        "http:\n  port: [1, 2]\n",
        "http:\n  port: {a: 1}\n",
        "http: 5\n",
        "- http\n",
        "just text\n",
        "http:\n  port: 1\n  port: 2\n",
        "http:\n  port: 1.0\n",
        "http:\n  port: 99999999999999999999\n",
        "http:\n  port: 4294967296\n",
        "http:\n  corsOrigins: [a]\n",
        "http:\n  corsOrigins: [[a]]\n",
        "? [1]\n: 2\n",
        "http: &x\n  y: *x\n",
        "retrieval:\n  cosineFloors: [e5]\n",
        "retrieval:\n  cosineFloors: [e5=2]\n",
        "models:\n  quote:\n    price:\n      input: -1\n",
        "ingest:\n  maxBodyBytes: 9999999999GiB\n",
        "answer:\n  maxChars: 4GiB\n",
        "http:\n  maxUriBytes: 4GiB\n",
        "prices:\n  validFrom: soon\n",
        "models:\n  quote:\n    maxTokensMember: MAX_TOKENS\n",
      })
  void refuses(String yaml) throws IOException {
    assertThat(problems(file(yaml), environment())).hasSize(1);
  }

  @Test
  @DisplayName("says where a broken file is broken, and quotes nothing of it")
  void brokenFile() throws IOException {
    Path file = file("auth:\n  secret: \"sk-not-closed\n");
    assertThat(problems(file, environment()))
        .singleElement()
        .asString()
        .contains(file.toString())
        .containsPattern("line \\d")
        .doesNotContain("sk-not-closed");
    assertThat(problems(folder.resolve("none.yaml"), environment()))
        .containsExactly("the configuration file " + folder.resolve("none.yaml")
            + " cannot be read as UTF-8 text");
  }

  @Test
  @DisplayName("can be read in part, and then asks only for that part's values")
  void part() {
    assertThat(ConfigLoader.load(null, Map.of("ASK_AUTH_SECRET", SECRET), GatewayConfig::authOnly)
            .secret())
        .isEqualTo(SECRET);
    assertThatThrownBy(() -> ConfigLoader.load(null, Map.of("ASK_X", ""), GatewayConfig::authOnly))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("ASK_X")
        .hasMessageContaining("auth.secret is missing")
        .hasMessageNotContaining("redis");
  }

  @ParameterizedTest
  @DisplayName("reads durations")
  @CsvSource({"250ms,PT0.25S", "15s,PT15S", "2m,PT2M", "1h,PT1H", "0s,PT0S", "7d,PT168H"})
  void durations(String text, Duration expected) {
    assertThat(Durations.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @DisplayName("does not read as a duration")
  @ValueSource(strings = {"", "15", "s", "-1s", "1.5s", "15 s", "15S", "1w", "99999999999s"})
  void noDurations(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }
}
