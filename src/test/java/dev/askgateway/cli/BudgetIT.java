package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("budget")
class BudgetIT {
  private static String url;

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  static void migrated() {
    url = DevServices.shared().freshDatabase("budget");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
  }

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(
        arguments,
        Map.of("DATABASE_URL", url),
        config -> Future.failedFuture("nothing is served"),
        (vertx, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    return new Ran(code, out.toString().strip(), err.toString().strip());
  }

  private static long number(String sql) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement statement = owner.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      found.next();
      return found.getLong(1);
    }
  }

  /** What the ledger says an account has left of its allowance. */
  private static long ledger(String person) throws SQLException {
    return number("SELECT coalesce(sum(allowance), 0) FROM ask.ledger_transfers WHERE user_id = '"
        + person + "'");
  }

  @Test
  @DisplayName("limits are set one by one, shown, and taken away with none")
  void limits() throws SQLException {
    Ran set = run("budget", "set", "ana", "--monthly", "5", "--request-cap", "0.05");
    assertThat(set).isEqualTo(new Ran(0, set.out(), ""));
    assertThat(set.out()).contains("monthly 5  spent 0  held 0  left 5", "request cap: 0.05");
    assertThat(ledger("ana")).isEqualTo(5_000_000);

    assertThat(run("budget", "set", "ana", "--daily-warning", "0.000001").out())
        .contains("monthly 5 ", "request cap: 0.05", "daily warning: 0.000001  spent today 0");
    assertThat(run("budget", "show", "ana").out())
        .contains(
            "monthly 5 ", "request cap: 0.05", "daily warning: 0.000001", "today: requests 0");

    Ran none = run("budget", "set", "ana", "--monthly", "none", "--request-cap", "none");
    assertThat(none.out()).contains("monthly none", "request cap: none", "daily warning: 0.000001");
    assertThat(ledger("ana")).isZero();
  }

  @Test
  @DisplayName("an allowance below what is gone of the month is refused, and nothing else is set")
  void tooLow() throws SQLException {
    number(
        "WITH made AS (INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd, spent_micro_usd,"
            + " held_micro_usd) VALUES ('bea', 9000, 3000, 1000) RETURNING 1) SELECT count(*) FROM made");

    Ran refused = run("budget", "set", "bea", "--monthly", "0.003999", "--request-cap", "1");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("spent or held of this month already");
    assertThat(run("budget", "show", "bea").out())
        .contains("monthly 0.009  spent 0.003  held 0.001  left 0.005", "request cap: none");

    assertThat(run("budget", "set", "bea", "--monthly", "0.004").out()).contains("left 0");
  }

  @Test
  @DisplayName("a key grants once: the same again says so, another amount is an error")
  void grant() throws SQLException {
    String lastDay = LocalDate.now(ZoneOffset.UTC).plusDays(30).toString();
    run("budget", "set", "cy", "--monthly", "1");

    assertThat(run("budget", "grant", "cy", "2.5", "--key", "pay-1", "--expires", lastDay))
        .isEqualTo(new Ran(0, "Granted: 2.5.", ""));
    assertThat(run("budget", "grant", "cy", "2.5", "--key", "pay-1"))
        .isEqualTo(new Ran(0, "Granted before: 2.5.", ""));
    Ran other = run("budget", "grant", "cy", "3", "--key", "pay-1");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("source key was used for another amount");
    assertThat(run("budget", "grant", "cy", "1", "--key", "pay-2").code()).isZero();

    assertThat(run("budget", "show", "cy").out())
        .contains("credits: left 3.5  held 0  of which 2.5 expire at "
            + LocalDate.parse(lastDay).plusDays(1) + "T00:00:00Z");
    assertThat(number("SELECT sum(credits) FROM ask.ledger_transfers WHERE user_id = 'cy'"))
        .isEqualTo(3_500_000);
  }

  @Test
  @DisplayName("a payment in another currency gives credits once, with what lies between in fx")
  void topUp() throws SQLException {
    String[] payment = {
      "budget", "top-up", "eva", "1000", "INR", "--rate", "83.5", "--markup", "1.4", "--key", "p-1"
    };
    assertThat(run(payment))
        .isEqualTo(new Ran(0, "Given: 8.554319, for a payment worth 11.976047; fx 3.421728.", ""));
    assertThat(run(payment)).isEqualTo(new Ran(0, "Given before.", ""));
    Ran nextDay = run(
        "budget",
        "top-up",
        "eva",
        "1000",
        "INR",
        "--rate",
        "84",
        "--markup",
        "1.4",
        "--key",
        "p-1");
    assertThat(nextDay).isEqualTo(new Ran(0, "Given before.", ""));
    Ran other = run("budget", "top-up", "eva", "1000", "EUR", "--rate", "0.9", "--key", "p-1");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("source key was used for another");
    assertThat(run("budget", "grant", "eva", "8.554319", "--key", "p-1").code()).isEqualTo(1);

    assertThat(run("budget", "show", "eva").out()).contains("credits: left 8.554319  held 0");
    assertThat(number("SELECT count(*) FROM ask.ledger_transfers WHERE user_id = 'eva' AND"
            + " credits = 8554319 AND paid = -11976047 AND fx = 3421728 AND paid_amount = 1000"
            + " AND paid_currency = 'INR' AND paid_rate = 83.5 AND paid_markup = 1.4"))
        .isEqualTo(1);
    assertThat(
            number("SELECT count(*) FROM ask.reconcile(interval '1 minute') WHERE person = 'eva'"))
        .isZero();
  }

  @Test
  @DisplayName("the ledger takes no payment whose credits are not what rate and markup make of it")
  void noOtherRate() throws SQLException {
    String first = "SELECT count(*) FROM ask.top_up('flo', 'k', ";
    String rest = ", 1000, 'INR', 83.5, 1.4, NULL)";

    for (String wrong : new String[] {"8554320, 11976047", "8554319, 11976048", "1, 1"}) {
      assertThatThrownBy(() -> number(first + wrong + rest))
          .as(wrong)
          .hasMessageContaining("exchanged");
    }
    assertThat(number("SELECT count(*) FROM ask.credit_grants WHERE user_id = 'flo'"))
        .isZero();
    assertThat(number(first + "8554319, 11976047" + rest)).isEqualTo(1);
  }

  @Test
  @DisplayName("any payment as the command computes it is one that the ledger takes")
  void anyRate() {
    Random random = new Random(4711);
    for (int round = 0; round < 60; round++) {
      String amount = BigDecimal.valueOf(1 + random.nextInt(1_000_000), 2).toPlainString();
      String rate = BigDecimal.valueOf(1 + random.nextInt(200_000_000), 6).toPlainString();
      String markup =
          BigDecimal.valueOf(1_000_000 + random.nextInt(1_000_000), 6).toPlainString();
      Ran ran = run(
          "budget",
          "top-up",
          "gil",
          amount,
          "INR",
          "--rate",
          rate,
          "--markup",
          markup,
          "--key",
          "p-" + round);

      assertThat(ran.err()).as("%s at %s and %s", amount, rate, markup).isEmpty();
    }
  }

  @Test
  @DisplayName("looking at somebody who never came opens no account")
  void nobody() throws SQLException {
    assertThat(run("budget", "show", "nobody"))
        .isEqualTo(new Ran(0, "There is no such account yet: the first request opens it.", ""));
    assertThat(number("SELECT count(*) FROM ask.budget_accounts WHERE user_id = 'nobody'"))
        .isZero();
  }

  @Test
  @DisplayName("what is no amount, no date or over is a wrong command line")
  void usage() throws SQLException {
    for (String amount : new String[] {"-1", "1e3", "1,5", "0.0000001", "1000001", "01", ""}) {
      assertThat(run("budget", "set", "dan", "--monthly=" + amount).code())
          .as(amount)
          .isEqualTo(2);
    }
    for (String amount : new String[] {"0", "none"}) {
      assertThat(run("budget", "grant", "dan", amount, "--key", "k").code())
          .as(amount)
          .isEqualTo(2);
    }
    assertThat(run("budget", "grant", "dan", "1").err()).contains("--key");
    assertThat(run("budget", "grant", "dan", "1", "--key", " ").code()).isEqualTo(2);
    assertThat(run("budget", "grant", "dan", "1", "--key", "k", "--expires", "2020-01-01")
            .err())
        .contains("--expires must not be over");
    for (String wrong : new String[] {
      "0 INR --rate 83.5",
      "1 QQQ --rate 83.5",
      "1 INR --rate 0",
      "1 INR",
      "x INR --rate 1",
      "1 INR --rate 83.5 --markup 0.5"
    }) {
      assertThat(run(("budget top-up dan " + wrong + " --key k").split(" ", -1)).code())
          .as(wrong)
          .isEqualTo(2);
    }
    assertThat(number("SELECT count(*) FROM ask.budget_accounts WHERE user_id = 'dan'"))
        .isZero();
  }
}
