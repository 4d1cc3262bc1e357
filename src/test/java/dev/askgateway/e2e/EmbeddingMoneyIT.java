package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.cli.Cli;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server reports one token for each text. */
@DisplayName("Vectors of a model that has a price")
class EmbeddingMoneyIT {
  private static final long PER_TEXT = 3;
  private static final String INTERNAL =
      " FROM ask.ai_usage_events WHERE billing_source = 'internal'"
          + " AND feature = 'indexing' AND user_id = ?";

  @TempDir
  Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final EmbeddingServer server = new EmbeddingServer(vertx, 1);
  private String url;

  @BeforeEach
  void start() {
    url = DevServices.shared().freshDatabase("embedding-money");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
  }

  @AfterEach
  void stop() {
    server.close();
    Wait.on(vertx.close());
  }

  private Map<String, String> settings(long price) throws IOException {
    Map<String, String> settings = new HashMap<>(server.settings(folder, EmbeddingServer.OLD));
    settings.put("DATABASE_URL", url);
    settings.put("DATABASE_MIGRATION_URL", url);
    settings.put("REDIS_URL", DevServices.shared().redisUrl());
    settings.put("ASK_MODELS_WORDS_64_PRICE_INPUT", Long.toString(price));
    return settings;
  }

  private long number(String sql, Object... arguments) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
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

  private int cli(Map<String, String> settings, String... words) {
    return Cli.run(words, settings, config -> null, (vertx, limits) -> null);
  }

  @Test
  @DisplayName(
      "of messages are the operator's, by person; that of a question is paid with its answer")
  void whoPays() throws IOException {
    Map<String, String> settings = settings(PER_TEXT * 1_000_000);
    try (Node node = Node.start(settings)) {
      Person person = Person.unknown();
      Api api = node.as(person);
      api.imports(Samples.booking());
      api.awaitIndex();
      long texts =
          server.counts().values().stream().mapToLong(Integer::longValue).sum();
      Await.until(
          "the cost is written down",
          () -> number("SELECT coalesce(sum(input_tokens), 0)" + INTERNAL, person.id()) == texts);
      assertThat(number("SELECT sum(provider_cost_micro_usd)" + INTERNAL, person.id()))
          .isEqualTo(PER_TEXT * texts);
      assertThat(number(
              "SELECT sum(-absorbed) FROM ask.ledger_transfers WHERE kind = 'operating' AND provider = -absorbed AND user_id = ?",
              person.id()))
          .isEqualTo(PER_TEXT * texts);

      JsonObject answer = api.ask(Samples.QUESTION);

      assertThat(answer.getString("answer")).contains("Casa Nopal");
      assertThat(answer.getLong("costMicroUsd")).isEqualTo(PER_TEXT);
      assertThat(number(
              "SELECT provider_cost_micro_usd FROM ask.ai_usage_attempts WHERE purpose = 'embedding' AND user_id = ?",
              person.id()))
          .isEqualTo(PER_TEXT);
      JsonObject used = api.get("/ai/usage").json().getJsonObject("data").getJsonObject("total");
      assertThat(used.getInteger("requests")).isEqualTo(1);
      assertThat(used.getLong("billableMicroUsd")).isEqualTo(PER_TEXT);
      assertThat(api.get("/ai/statements").text()).doesNotContain("operating");
    }
    assertThat(cli(settings, "reconcile")).isZero();
    assertThat(cli(settings, "rebill", "--as-of", "2999-01-01", "--check")).isZero();
  }

  @Test
  @DisplayName("that costs nothing are written down nowhere")
  void free() throws IOException {
    try (Node node = Node.start(settings(0))) {
      Api api = node.as(Person.unknown());
      api.imports(Samples.booking());
      api.awaitIndex();

      assertThat(api.ask(Samples.QUESTION).getLong("costMicroUsd")).isZero();
    }
    assertThat(number("SELECT count(*) FROM ask.ai_usage_events")).isEqualTo(1);
    assertThat(number("SELECT count(*) FROM ask.ai_usage_attempts")).isZero();
    assertThat(number("SELECT count(*) FROM ask.ledger_transfers")).isZero();
  }
}
