package dev.askgateway.e2e;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** The one migrated database of these tests, and the owner's eyes on it. People keep tests apart. */
final class Data {
  private static final String URL = migrated();

  private Data() {}

  private static String migrated() {
    String url = DevServices.shared().freshDatabase("e2e");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    return url;
  }

  static String url() {
    return URL;
  }

  /** The one number that a query gives. */
  static long number(String sql, Object... arguments) {
    StoreConfig.Address address = StoreConfig.Address.of("url", URL);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement statement = owner.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Everything that a question can leave behind, of whomever. */
  static long traces() {
    return number("""
        SELECT (SELECT count(*) FROM ask.conversation_assistant_threads)
             + (SELECT count(*) FROM ask.conversation_assistant_turns)
             + (SELECT count(*) FROM ask.answer_requests)
             + (SELECT count(*) FROM ask.budget_holds)""");
  }

  /** Holds that nobody has settled or released yet. */
  static long pendingHolds(Person person) {
    return number(
        "SELECT count(*) FROM ask.budget_holds WHERE user_id = ? AND state = 'pending'",
        person.id());
  }

  /** What the person is held to have spent, in micro-USD. */
  static long spent(Person person) {
    return number(
        "SELECT coalesce(sum(spent_micro_usd), 0) FROM ask.budget_accounts WHERE user_id = ?",
        person.id());
  }
}
