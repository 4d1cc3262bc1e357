package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class CliTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final Map<String, String> ENVIRONMENT = Map.of(
      "DATABASE_URL", "postgresql://ana:pw-ana@localhost:1/ask",
      "REDIS_URL", "redis://localhost:1",
      "ASK_AUTH_SECRET", SECRET,
      "ASK_DATABASE_MIGRATE_ON_START", "false");

  /** What a command left behind. */
  private record Ran(int code, String out, String err) {}

  /** Notes what is asked of it. */
  private static final class FakeServer implements Server {
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public Future<Running> start(GatewayConfig config) {
      calls.add("start " + config.http().port());
      return Future.succeededFuture(new Running() {
        @Override
        public int port() {
          return config.http().port();
        }

        @Override
        public Future<Void> close() {
          calls.add("close");
          return Future.succeededFuture();
        }
      });
    }
  }

  private static Ran run(Map<String, String> environment, Server server, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(
        arguments,
        environment,
        server,
        (vertx, limits) -> {
          throw new AssertionError("no command here asks a model");
        },
        Runnable::run, // told to stop as soon as it listens
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran run(String... arguments) {
    return run(ENVIRONMENT, new FakeServer(), arguments);
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put(name, value);
    return environment;
  }

  @Test
  @DisplayName("serves when it names no command, and closes what it started when told to stop")
  void serves() {
    for (String[] arguments : new String[][] {{}, {"serve"}}) {
      FakeServer server = new FakeServer();
      assertThat(run(with("PORT", "9191"), server, arguments).code()).isZero();
      assertThat(server.calls).containsExactly("start 9191", "close");
    }
  }

  @Test
  @DisplayName("takes --config before and after the command")
  void configOption(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("mine.yaml"), "http: {port: 7070}\n");
    for (String[] arguments : new String[][] {
      {"--config", file.toString()},
      {"--config", file.toString(), "serve"},
      {"serve", "--config", file.toString()}
    }) {
      FakeServer server = new FakeServer();
      assertThat(run(ENVIRONMENT, server, arguments).code()).isZero();
      assertThat(server.calls).first().isEqualTo("start 7070");
    }
  }

  @Test
  @DisplayName("ends with 1 and one sentence when the port is taken")
  void portTaken() {
    Server taken = config -> Future.failedFuture(new BindException("Address already in use"));
    Ran ran = run(ENVIRONMENT, taken, "serve");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualToIgnoringNewLines("The address to listen on cannot be used (Address already in"
            + " use): free it, or set http.port (ASK_HTTP_PORT) to another one.");
  }

  @Test
  @DisplayName("ends with 1 and a line for each problem of the configuration, and starts nothing")
  void badConfiguration() {
    FakeServer server = new FakeServer();
    Ran ran = run(with("ASK_HTTP_PORT", "x"), server, "serve");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("http.port is x; it must be a whole number (environment ASK_HTTP_PORT)")
        .doesNotContain("Exception");
    assertThat(server.calls).isEmpty();
  }

  @Test
  @DisplayName(
      "says what the database or the deepest cause said, on one line and without a password")
  void sentences() {
    Exception refused = new RuntimeException(
        "Unable to obtain connection\n-----\n",
        new SQLException("Connection to db:1 refused.\nCheck", "08001", new IOException("no")));
    assertThat(failing(refused))
        .isEqualTo("PostgreSQL refused: Connection to db:1 refused. [08001]");
    assertThat(failing(new RuntimeException(
            "outer", new IOException("lost redis://:pw-redis@cache:6379/0\nsecond line"))))
        .isEqualTo("It could not be done: lost redis://:***@cache:6379/0");
    assertThat(failing(new GatewayError(
            GatewayError.Code.DEPENDENCY_UNAVAILABLE,
            "The database is not reachable.",
            new IOException("refused"))))
        .isEqualTo("The database is not reachable: refused");
    assertThat(failing(new IllegalStateException()))
        .isEqualTo("It could not be done: IllegalStateException");
  }

  private static String failing(Exception failure) {
    Ran ran = run(ENVIRONMENT, config -> Future.failedFuture(failure), "serve");
    assertThat(ran.code()).isEqualTo(1);
    return ran.err().strip();
  }

  @Test
  @DisplayName("signs a token of that person with the configured secret, issuer and audience")
  void token() throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("ASK_AUTH_SECRET", SECRET); // needs no database
    environment.put("ASK_AUTH_ISSUER", "https://me.example");
    environment.put("ASK_AUTH_AUDIENCE", "ask");
    Ran ran = run(environment, new FakeServer(), "token", "--sub", "ana", "--ttl", "2h");
    assertThat(ran.code()).as(ran.err()).isZero();

    String[] parts = ran.out().strip().split("\\.", -1);
    assertThat(parts).hasSize(3);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] signature = mac.doFinal((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    assertThat(Base64.getUrlDecoder().decode(parts[2])).isEqualTo(signature);
    JsonObject claims =
        new JsonObject(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
    assertThat(claims.getString("sub")).isEqualTo("ana");
    assertThat(claims.getString("iss")).isEqualTo("https://me.example");
    assertThat(claims.getLong("exp") - claims.getLong("iat")).isEqualTo(7200);
    assertThat(claims.getValue("aud").toString()).contains("ask");
  }

  @Test
  @DisplayName("signs no token where a key server is trusted")
  void noTokenForJwks() {
    Ran ran = run(
        Map.of(
            "ASK_AUTH_JWKS_URL", "https://id.example/jwks",
            "ASK_AUTH_ISSUER", "https://id.example",
            "ASK_AUTH_AUDIENCE", "ask"),
        new FakeServer(),
        "token",
        "--sub",
        "ana");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("auth.jwksUrl");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  @DisplayName("prints the effective configuration with stars, also when it is wrong")
  void config() {
    Ran good = run(with("PORT", "9191"), new FakeServer(), "config");
    assertThat(good.code()).as(good.err()).isZero();
    assertThat(good.out())
        .contains("port: 9191  # environment PORT")
        .contains("secret: ***")
        .doesNotContain(SECRET)
        .doesNotContain("pw-ana");

    Ran bad = run(with("PORT", "x"), new FakeServer(), "config");
    assertThat(bad.code()).isEqualTo(1);
    assertThat(bad.out()).contains("port: x");
    assertThat(bad.err()).contains("http.port is x");
  }

  @Test
  @DisplayName("seals nothing anew without a key to seal with")
  void noKeys() {
    Ran ran = run("keys", "reseal");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("set byok.keys (ASK_BYOK_KEYS)");
  }

  @ParameterizedTest
  @DisplayName("helps with exit code 0")
  @ValueSource(
      strings = {
        "--help",
        "help",
        "-h",
        "serve --help",
        "token --help",
        "keys --help",
        "help migrate",
        "help provider",
        "provider check --help",
        "prices --help",
        "prices load --help",
        "rebill --help"
      })
  void help(String arguments) {
    Ran ran = run(arguments.split(" ", -1));
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("Usage: ask-gateway").contains("--config");
  }

  @Test
  @DisplayName("tells its version")
  void version() {
    assertThat(run("--version").out()).startsWith("ask-gateway ");
  }

  @ParameterizedTest
  @DisplayName("ends with 2 for")
  @ValueSource(
      strings = {
        "srve",
        "--no-such",
        "token",
        "token --sub",
        "token --sub ana --ttl 1",
        "token --sub ana --ttl 1s",
        "token --sub ana --ttl 9999d",
        "serve extra",
        "keys",
        "keys other",
        "provider",
        "provider chek",
        "provider check --no-such",
        "--config"
      })
  void usage(String arguments) {
    FakeServer server = new FakeServer();
    Ran ran = run(ENVIRONMENT, server, arguments.split(" ", -1));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).isNotBlank();
    assertThat(server.calls).isEmpty();
  }

  @Test
  @DisplayName("changes a level of a gateway only where one is managed")
  void logLevel() {
    Ran refused = run("log-level", "dev.askgateway.answer", "DEBUG");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("management.enabled is false");
    assertThat(run("log-level", "dev.askgateway.answer").code()).isEqualTo(2);
  }
}
