package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.byok.OwnServers;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("keys reseal")
class KeysIT {
  private static final String OLD = "old=" + OwnServers.OLD_KEY;
  private static final String NEW = "new=" + OwnServers.NEW_KEY;

  private static String migrated() {
    String url = DevServices.shared().freshDatabase("keys");
    new Migrations(store(url)).migrate();
    return url;
  }

  private static StoreConfig store(String url) {
    return new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
  }

  /** So many people with a secret each, sealed with the old key. */
  private static void bring(String url, int people) {
    Vertx vertx = Vertx.vertx();
    Database database = new Database(vertx, store(url));
    UpstreamClient client = OwnServers.client(vertx);
    Connections connections = OwnServers.connections(
        vertx, OwnServers.providers(OwnServers.CONFIG, database, client, "unused"), database);
    for (int i = 0; i < people; i++) {
      Wait.on(connections.create(
          new UserId("person-" + i),
          new Connections.Draft("openai", null, null, "sk-qzkey-1234567890")));
    }
    Wait.on(client.close());
    Wait.on(database.close());
    Wait.on(vertx.close());
  }

  private static String reseal(String url, String keys, int code) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int ended = Cli.run(
        new String[] {"keys", "reseal"},
        Map.of("DATABASE_URL", url, "ASK_BYOK_KEYS", keys, "ASK_BYOK_CURRENT_KEY", "new"),
        config -> Future.failedFuture("nothing is served"),
        (vertx, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    assertThat(ended).as(err.toString()).isEqualTo(code);
    return out.toString().strip();
  }

  @Test
  @DisplayName(
      "seals every secret with the current key, in more than one page, so that old ones go")
  void reseals() {
    String url = migrated();
    bring(url, 101);

    assertThat(reseal(url, OLD + "," + NEW, 0))
        .isEqualTo("Secrets sealed anew: 101; left, as they do not open: 0.");
    assertThat(reseal(url, NEW, 0))
        .isEqualTo("Secrets sealed anew: 0; left, as they do not open: 0.");
  }

  @Test
  @DisplayName("ends with 1 while a secret is sealed with a key that is not there")
  void left() {
    String url = migrated();
    bring(url, 1);

    assertThat(reseal(url, NEW, 1))
        .isEqualTo("Secrets sealed anew: 0; left, as they do not open: 1.");
  }

  @Test
  @DisplayName("says in one sentence that the database is away")
  void away() {
    StringWriter err = new StringWriter();
    int code = Cli.run(
        new String[] {"keys", "reseal"},
        Map.of(
            "DATABASE_URL", "postgresql://ana:qzpass@127.0.0.1:1/ask",
            "ASK_BYOK_KEYS", NEW,
            "ASK_BYOK_CURRENT_KEY", "new"),
        config -> Future.failedFuture("nothing is served"),
        (vertx, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(new StringWriter(), true),
        new PrintWriter(err, true));

    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("The database is not reachable: ")
        .doesNotContain("qzpass");
  }
}
