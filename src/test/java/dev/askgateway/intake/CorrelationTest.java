package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SilentListener;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.intake.Door.Answer;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The id of a request")
class CorrelationTest {
  private final Door door = new Door();

  @BeforeEach
  void open() {
    EdgeConfig config = new EdgeConfig(
        EdgeConfig.Auth.TOKEN, EdgeConfig.Accounting.NONE, Duration.ofSeconds(5), 64 * 1024);
    door.edge = loop -> new EdgeParts(config, completions(loop));
    door.open();
  }

  @AfterEach
  void close() {
    door.close();
  }

  /** No models at all. */
  private static CompletionService completions(Vertx vertx) {
    PriceBooks prices = PriceBooks.of(new PriceBook("free", LocalDate.of(2026, 1, 1), Map.of()));
    ProviderFactory nobody = new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
        throw new AssertionError("there is no model");
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
        throw new AssertionError("there is no model");
      }
    };
    Models models = new Models(
        Catalogue.of(List.of(), List.of(), List.of()),
        nobody,
        prices,
        new HealthBook(vertx, HealthListener.NONE));
    return new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        models,
        new FailoverGate(vertx),
        prices,
        Counting.o200k(vertx),
        Accounts.NONE,
        new SilentListener(),
        null));
  }

  @Test
  @DisplayName("is in the head and in the body of every refusal, and another one each time")
  void everyRefusal() {
    String chat = "/v1/chat/completions";
    Set<String> ids = new HashSet<>();
    for (Answer refused : List.of(
        door.send(door.request("/ai/threads").GET()),
        door.get("/ai/nothing"),
        door.get("/nothing"),
        door.get("/ai/assistant/messages"),
        door.post("/ai/assistant/messages", "{"),
        door.post("/ai/assistant/messages", "{\"question\": 7}"),
        door.get("/x%00"),
        door.send(door.request(chat).POST(BodyPublishers.ofString("{}"))),
        door.post(chat, "{"),
        door.post(chat, "{}"),
        door.post(
            chat, "{\"model\":\"none\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"),
        door.get(chat),
        door.get("/v1/nothing"))) {
      JsonObject body = refused.json();
      String told = body.getValue("error") instanceof JsonObject error
          ? error.getString("request_id")
          : body.getString("requestId");
      assertThat(told).as(refused.text()).isNotNull().isEqualTo(refused.header("x-request-id"));
      assertThat(UUID.fromString(told).version()).isEqualTo(7);
      assertThat(ids.add(told)).isTrue();
    }
  }

  @Test
  @DisplayName("is that of the question or of the idempotency key, where there is one")
  void named() {
    UUID id = UUID.randomUUID();
    Answer chat = door.post(
        "/v1/chat/completions",
        "{\"model\":\"none\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}",
        "Idempotency-Key",
        id.toString());
    assertThat(chat.header("x-request-id")).isEqualTo(id.toString());
    assertThat(chat.json().getJsonObject("error").getString("request_id")).isEqualTo(id.toString());
  }

  @Test
  @DisplayName("is not what the client says it is, and there also for what is no request")
  void notTheClients() throws IOException {
    Answer answer = door.get("/nothing", "X-Request-Id", "qz");
    assertThat(answer.header("x-request-id")).isNotEqualTo("qz");
    assertThat(door.raw("NONSENSE\r\n\r\n", "}")).contains("x-request-id: ", "requestId");
  }

  @Test
  @DisplayName("is there where all is well")
  void whereAllIsWell() {
    assertThat(door.get("/health/live").header("x-request-id")).hasSize(36);
    assertThat(door.get("/v1/models").header("x-request-id")).hasSize(36);
  }
}
