package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.devservices.DevServices;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gateway's role may do, said to the database itself. */
class GrantsIT {
  private static final String DENIED = "42501";
  private static Connection owner;
  private static Connection gateway;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("grants");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 1, Duration.ofSeconds(5)))
        .migrate();
    owner = connect(url);
    gateway = connect(url);
    run(gateway, "SET ROLE ask_gateway");
    for (String person : List.of("ana", "ben")) {
      fill(person);
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
    gateway.close();
  }

  private static Connection connect(String url) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    Connection connection =
        DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run(connection, "SET search_path = ask, public");
    return connection;
  }

  /** One row or more in every table that holds something of a person. */
  private static void fill(String person) throws SQLException {
    run(
        owner,
        "SELECT ingest_messages('" + person + "', '[{\"platform\":\"x\",\"chatId\":\"c\","
            + "\"messageId\":\"m\",\"at\":\"2026-11-28T18:00:00Z\",\"senderId\":\"s\",\"text\":\"hi\","
            + "\"deleted\":false}]'::jsonb)");
    run(
        owner,
        "INSERT INTO conversation_message_embeddings (user_id, message_id, embedding_profile_id,"
            + " embedding_version, embedding_model, embedding_dimensions, content_hash, embedding)"
            + " SELECT user_id, id, 'p', 1, 'm', 3, content_hash, '[1,2,3]' FROM messages"
            + " WHERE user_id = '" + person + "'");
    String request = "'00000000-0000-0000-0000-00000000000a'";
    run(
        owner,
        "SELECT begin_turn('" + person + "', " + request + ", '\\x00', 'new', NULL, NULL, NULL,"
            + " '{}', 'q', 'p', 'n', 60000, 10, 'b', 6)");
    run(
        owner,
        "SELECT finish_turn('" + person + "', " + request + ", 'n', '{\"status\":\"completed\","
            + "\"content\":\"a\",\"citations\":[],\"queryPlan\":{},\"provider\":\"p\",\"model\":\"m\","
            + "\"finishReason\":\"stop\",\"usage\":{\"inputTokens\":1,\"cacheReadTokens\":0,"
            + "\"cacheWriteTokens\":0,\"outputTokens\":1,\"reasoningTokens\":0,\"estimated\":false},"
            + "\"costMicroUsd\":3,\"billableMicroUsd\":3,\"failedAttempts\":0,"
            + "\"failedCostMicroUsd\":1,\"latencyMs\":1,\"attempts\":[{\"provider\":\"p\",\"model\":\"m\","
            + "\"inputTokens\":1,\"cacheReadTokens\":0,\"cacheWriteTokens\":0,\"outputTokens\":0,"
            + "\"reasoningTokens\":0,\"estimated\":true,\"costMicroUsd\":1}]}')");
    run(owner, "SELECT grant_credits('" + person + "', 'k', 5, NULL)");
    run(
        owner,
        "INSERT INTO ai_connections (user_id, id, provider_type, display_name, secret, key_id)"
            + " VALUES ('" + person + "', " + request + ", 'openai', 'd', '\\x01', 'k')");
    run(
        owner,
        "INSERT INTO ai_model_profiles (user_id, task_role, connection_id, model_id,"
            + " context_tokens, output_tokens) VALUES ('" + person + "', 'r', " + request
            + ", 'm', 1000, 100)");
  }

  private static void run(Connection connection, String statement) throws SQLException {
    try (Statement one = connection.createStatement()) {
      one.execute(statement);
    }
  }

  private static List<String> strings(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement one = connection.createStatement();
        ResultSet rows = one.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private static List<String> tables() throws SQLException {
    return strings(
        owner,
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname ="
            + " 'user_id' WHERE c.relnamespace = 'ask'::regnamespace AND c.relkind IN ('r', 'p')"
            + " AND NOT c.relispartition ORDER BY 1");
  }

  private static void person(String person) throws SQLException {
    run(gateway, "SELECT set_config('ask.user_id', '" + person + "', false)");
  }

  @Test
  @DisplayName(
      "without a person every table is empty to the gateway, with one it holds theirs alone")
  void rows() throws SQLException {
    assertThat(tables()).hasSizeGreaterThanOrEqualTo(15);
    for (String table : tables()) {
      assertThat(strings(owner, "SELECT count(DISTINCT user_id) FROM " + table))
          .as(table)
          .containsExactly("2");
      run(gateway, "RESET ask.user_id");
      assertThat(strings(gateway, "SELECT user_id FROM " + table)).as(table).isEmpty();
      person("");
      assertThat(strings(gateway, "SELECT user_id FROM " + table)).as(table).isEmpty();
      person("ana");
      assertThat(strings(gateway, "SELECT DISTINCT user_id FROM " + table))
          .as(table)
          .containsExactly("ana");
    }
  }

  @Test
  @DisplayName("no partition can be read past its table's policy")
  void partitions() throws SQLException {
    person("ana");
    for (String partition : strings(
        owner,
        "SELECT c.relname FROM pg_class c WHERE c.relispartition AND c.relkind ="
            + " 'r' AND c.relnamespace = 'ask'::regnamespace")) {
      assertThatThrownBy(() -> strings(gateway, "SELECT user_id FROM " + partition))
          .as(partition)
          .isInstanceOfSatisfying(
              SQLException.class, denied -> assertThat(denied.getSQLState()).isEqualTo(DENIED));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE budget_accounts SET allowance_micro_usd = 1000000",
        "INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES ('ana', 1)",
        "DELETE FROM budget_accounts",
        "DELETE FROM budget_holds",
        "UPDATE budget_holds SET amount_micro_usd = 0",
        "DELETE FROM ledger_transfers",
        "UPDATE ledger_transfers SET revenue = 1",
        "INSERT INTO credit_grants (user_id, source_key, amount_micro_usd, remaining_micro_usd) VALUES ('ana', 'k', 1, 1)",
        "UPDATE credit_grants SET amount_micro_usd = 1",
        "SELECT grant_credits('ana', 'k', 1, NULL)",
        "SELECT add_credits('ana', 'k', 1, NULL)",
        "SELECT top_up('ana', 'k', 1, 1, 1, 'USD', 1, 1, NULL)",
        "DELETE FROM ai_usage_events",
        "UPDATE ai_usage_events SET billable_cost_micro_usd = 0",
        "DELETE FROM answer_requests",
        "DELETE FROM messages",
        "TRUNCATE messages",
        "UPDATE ai_connections SET base_url = 'https://elsewhere.example'",
        "UPDATE ai_connections SET provider_type = 'gemini'",
        "UPDATE ai_connections SET user_id = 'ben'",
        "INSERT INTO conversation_assistant_threads (user_id) VALUES ('ben')",
        "INSERT INTO conversation_assistant_threads (user_id) VALUES ('')",
        "UPDATE conversation_assistant_threads SET user_id = 'ben'",
        "ALTER TABLE messages DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE mine (x int)"
      })
  @DisplayName("the gateway may not")
  void refused(String statement) throws SQLException {
    person("ana");

    assertThatThrownBy(() -> run(gateway, statement))
        .isInstanceOfSatisfying(
            SQLException.class, denied -> assertThat(denied.getSQLState()).isEqualTo(DENIED));
  }

  @Test
  @DisplayName("functions that run as the owner have a fixed search path and are not everybody's")
  void ownerFunctions() throws SQLException {
    assertThat(strings(
            owner,
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ask'::regnamespace AND"
                + " p.prosecdef"))
        .contains(
            "renew_leases",
            "claim_lapsed",
            "connections_to_reseal",
            "open_account",
            "begin_group",
            "finish_group");
    assertThat(strings(
            owner,
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ask'::regnamespace AND"
                + " p.prosecdef AND (NOT EXISTS (SELECT FROM unnest(p.proconfig) AS c WHERE c LIKE"
                + " 'search_path=%') OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee ="
                + " 0) OR p.proacl IS NULL)"))
        .isEmpty();
  }
}
