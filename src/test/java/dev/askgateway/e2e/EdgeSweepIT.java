package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway that serves the edge alone, with accounts")
class EdgeSweepIT {
  private static Model model;
  private static Node node;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings(
        "ASK_SURFACES", "edge",
        "ASK_ANSWER_LEASE", "900ms",
        "ASK_ANSWER_SWEEP_INTERVAL", "100ms",
        "ASK_RECONCILE_INTERVAL", "1s"));
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  @Test
  @DisplayName("ends what a node that died had begun, and gives the hold back")
  void sweeps() {
    Person person = Person.unknown();
    Data.number(
        "SELECT 1 FROM (SELECT ask.begin_turn(?, ?::uuid, '\\x00', 'completion', NULL, NULL, NULL,"
            + " '{}', '', 'm', 'dead', 1, 10, 'gone', 0)) AS begun",
        person.id(),
        UUID.randomUUID().toString());

    Await.until("the hold is given back", () -> Data.pendingHolds(person) == 0);
    assertThat(Data.spent(person)).isZero();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.answer_requests WHERE user_id = ? AND status = 'failed'"
                + " AND hold_state = 'expired' AND outcome ->> 'errorCode' = 'interrupted'",
            person.id()))
        .isOne();
  }

  @Test
  @DisplayName("renews the lease of a completion that takes longer, and charges it at its end")
  void renews() {
    Person person = Person.unknown();
    AtomicReference<Exchange> held = new AtomicReference<>();
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("She"));
      held.set(exchange);
    });
    CompletableFuture<Reply> reply = node.as(person)
        .postSoon(
            "/v1/chat/completions",
            new JsonObject()
                .put("model", "assistant_grounded")
                .put("max_tokens", 100)
                .put(
                    "messages",
                    new JsonArray()
                        .add(new JsonObject().put("role", "user").put("content", "Who?"))));
    Await.until("the model is asked", () -> held.get() != null);

    Await.until("more than two leases have passed", () -> Data.number("""
            SELECT count(*) FROM ask.answer_requests WHERE user_id = ? AND status = 'streaming'
               AND lease_until > clock_timestamp() AND created_at < clock_timestamp() - interval '2 s'
            """, person.id()) == 1);
    held.get().chunk(Model.delta(" booked.") + Model.STOP + Model.USAGE + Model.DONE);
    held.get().endBody();

    assertThat(reply.join().status()).isEqualTo(200);
    Await.until("it is settled", () -> Data.pendingHolds(person) == 0);
    assertThat(Data.spent(person)).isPositive();
  }

  @Test
  @DisplayName("shows how many holds are open once it has counted")
  void gauges() {
    Await.until("the gauges have numbers", () -> node.as(Person.unknown())
        .get("/metrics")
        .text()
        .lines()
        .anyMatch(line -> line.matches("ask_holds_open \\d+\\.0")));
    assertThat(node.as(Person.unknown()).get("/metrics").text())
        .containsPattern("(?m)^ask_reconcile_differences \\d+\\.0$");
  }
}
