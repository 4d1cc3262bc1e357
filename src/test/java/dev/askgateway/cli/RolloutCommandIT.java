package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("rollout")
class RolloutCommandIT {
  private static String url;

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  static void migrated() {
    url = DevServices.shared().freshDatabase("rollout_command");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
  }

  @AfterEach
  void nothingRuns() {
    run("rollback", "deep");
  }

  private static Ran run(String... arguments) {
    String[] whole = new String[arguments.length + 1];
    whole[0] = "rollout";
    System.arraycopy(arguments, 0, whole, 1, arguments.length);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(
        whole,
        Map.of("DATABASE_URL", url, "ASK_RETRIEVAL_VERSIONS", "deep=depth:150"),
        config -> Future.failedFuture("nothing is served"),
        (vertx, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    return new Ran(code, out.toString().strip(), err.toString().strip());
  }

  private static Ran start(String... more) {
    String[] all = new String[more.length + 4];
    System.arraycopy(new String[] {"start", "deep", "--retrieval", "deep"}, 0, all, 0, 4);
    System.arraycopy(more, 0, all, 4, more.length);
    return run(all);
  }

  private static String newest(String column) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement statement = owner.createStatement();
        ResultSet found = statement.executeQuery(
            "SELECT " + column + " FROM ask.rollout_changes ORDER BY version DESC LIMIT 1")) {
      return found.next() ? found.getString(1) : "none";
    }
  }

  @Test
  @DisplayName("lists an account once, however often and with whatever blanks it is named")
  void accounts() throws SQLException {
    assertThat(start("--accounts", "ana, ben,ana", "--accounts", "ben").out())
        .isEqualTo("Begun: deep at 0 % and 2 listed accounts.");
    assertThat(newest("listed")).isEqualTo("{ana,ben}");
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"ana,,ben", " ", "ana\u0007"})
  @DisplayName("refuses what can be no account")
  void noAccount(String accounts) throws SQLException {
    String before = newest("version");
    Ran refused = start("--accounts", accounts);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("an account must be 1 to 255 characters");
    assertThat(newest("version")).isEqualTo(before);
  }

  @Test
  @DisplayName("takes a reason of 500 characters, and says of a longer one what is wrong")
  void reason() throws SQLException {
    Ran refused = start("--reason", "x".repeat(501));
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--reason", "at most 500 characters");

    assertThat(start("--reason", "😀".repeat(500)).code()).isZero();
    assertThat(newest("length(reason)")).isEqualTo("500");
  }

  @Test
  @DisplayName("does not begin a stage anew whose share is what it was, and says so")
  void unchanged() throws SQLException {
    start("--share", "5");
    String before = newest("version");
    assertThat(run("share", "deep", "5"))
        .isEqualTo(
            new Ran(1, "No rollout of that name runs, or it is at that share already: deep.", ""));
    assertThat(newest("version")).isEqualTo(before);
    assertThat(run("share", "deep", "25").code()).isZero();
  }
}
