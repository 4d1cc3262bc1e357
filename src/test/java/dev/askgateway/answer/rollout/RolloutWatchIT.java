package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.RolloutCommands;
import dev.askgateway.store.RolloutRepository;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node")
class RolloutWatchIT {
  private final Vertx vertx = Vertx.vertx();
  private final ModelSwitch models = new ModelSwitch(true, new ExtractiveProvider(vertx));
  private StoreConfig store;
  private Database database;
  private RolloutWatch watch;

  @BeforeEach
  void start() {
    String url = DevServices.shared().freshDatabase("rollout_watch");
    store = new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
    database = new Database(vertx, store);
    watch = new RolloutWatch(
        vertx,
        new RolloutRepository(database),
        new RolloutConfig(
            Duration.ofMinutes(1), Duration.ofMinutes(1), 20, 0.05), // it looks when a test says so
        models,
        rollout -> true,
        rollout -> {});
  }

  @AfterEach
  void stop() {
    watch.stop();
    Wait.on(vertx.close());
  }

  private void switchModels(boolean on) {
    Database owner = Database.ofOwner(vertx, store);
    Wait.on(new RolloutCommands(owner)
        .switchModels(on, new RolloutCommands.Author("test", ""))
        .eventually(owner::close));
  }

  @Test
  @DisplayName("calls no model until it knows whether it may, and may where nobody ever said")
  void unknown() {
    Wait.on(watch.start());
    assertThat(models.isOff()).as("the schema is not there").isTrue();

    new Migrations(store).migrate();
    Wait.on(watch.look());
    assertThat(models.isOff()).isFalse();
  }

  /** A rollout at 100 % as somebody wrote it, past the command line. */
  private void rollout(String listed) {
    Database owner = Database.ofOwner(vertx, store);
    Wait.on(owner
        .call(
            "INSERT INTO rollout_changes (run, name, kind, state, control, candidate, share, listed, changed_by,"
                + " reason) VALUES (gen_random_uuid(), 'next', 'retrieval', 'running', '', 'b', 100, "
                + listed + ", 'test', '')",
            Tuple.tuple())
        .eventually(owner::close));
  }

  @Test
  @DisplayName("takes an account that is listed twice for one")
  void twice() {
    new Migrations(store).migrate();
    rollout("'{ana,ana}'");
    Wait.on(watch.look());
    assertThat(watch.running()).isNotNull();
    assertThat(watch.running().listed()).containsExactly("ana");
  }

  @Test
  @DisplayName(
      "follows the switch though it cannot read the rollout, of which it gives nobody anything")
  void unreadable() {
    new Migrations(store).migrate();
    rollout("'{}'");
    Wait.on(watch.look());
    assertThat(watch.running()).isNotNull();

    rollout("'{NULL}'");
    switchModels(false);
    Wait.on(watch.look());
    assertThat(models.isOff()).isTrue();
    assertThat(watch.running()).isNull();
  }

  @Test
  @DisplayName("keeps to what it last knew while the database is away")
  void away() {
    new Migrations(store).migrate();
    switchModels(false);
    Wait.on(watch.start());
    assertThat(models.isOff()).isTrue();

    switchModels(true);
    Wait.on(database.close());
    Future<Void> looked = watch.look();
    Wait.on(looked.otherwiseEmpty());
    assertThat(looked.failed()).isTrue();
    assertThat(models.isOff()).isTrue();
  }
}
