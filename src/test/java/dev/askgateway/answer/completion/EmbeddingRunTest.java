package dev.askgateway.answer.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SilentListener;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.store.Begun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("A call for vectors")
@ExtendWith(VertxExtension.class)
class EmbeddingRunTest {
  private static final EmbeddingModel.Request TEXTS = new EmbeddingModel.Request(
      List.of("a", "bb", "ccc", "dddd", "eeeee"), EmbeddingModel.Purpose.DOCUMENT, null);

  /** Takes two texts a call, gives each its length, and does before that what the test says. */
  private static final class Pairs implements EmbeddingModel {
    final List<Duration> totals = new ArrayList<>();
    IntFunction<Future<?>> before = call -> Future.succeededFuture();

    @Override
    public String name() {
      return "main";
    }

    @Override
    public String model() {
      return "v";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 2;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      totals.add(deadlines.total());
      List<float[]> vectors =
          request.texts().stream().map(text -> new float[] {text.length()}).toList();
      Usage usage = new Usage(10L * vectors.size(), 0, 0, 0, 0, false);
      return before.apply(totals.size()).map(done -> new Embeddings(vectors, usage));
    }
  }

  /** Notes what is begun and how it ends. */
  private static final class Notes implements Accounts {
    final List<Hold> holds = new ArrayList<>();
    final List<Duration> leases = new ArrayList<>();
    final List<JsonObject> ends = new ArrayList<>();

    @Override
    public Future<Begun> begin(
        Caller caller, String kind, String model, Hold hold, Duration lease) {
      holds.add(hold);
      leases.add(lease);
      return Future.succeededFuture(Begun.FRESH);
    }

    @Override
    public Future<Void> finish(Caller caller, JsonObject end) {
      ends.add(end);
      return Future.succeededFuture();
    }
  }

  private static final EmbeddingRun.Asker UNHEARD = new EmbeddingRun.Asker() {
    @Override
    public void replayed() {}

    @Override
    public void dayWarned() {}
  };

  private final Pairs model = new Pairs();
  private final Notes notes = new Notes();
  private final ModelSwitch modelSwitch = new ModelSwitch(false, null);

  private static PriceBook book(String day, long input) {
    return new PriceBook(
        "dear", LocalDate.parse(day), Map.of("main:v", new PriceBook.Price(input, 0, 0, 0)));
  }

  private Future<EmbeddingRun.Vectors> embed(Vertx vertx, Duration total) {
    return embed(vertx, total, PriceBooks.of(book("2026-01-01", 1_000_000)));
  }

  private Future<EmbeddingRun.Vectors> embed(Vertx vertx, Duration total, PriceBooks prices) {
    Deadlines usual = Deadlines.DEFAULT;
    Deadlines deadlines =
        new Deadlines(usual.connect(), usual.headers(), Duration.ofMillis(1), usual.stall(), total);
    Capabilities embeds = new Capabilities(8_000, 1, false, false, false, false, false, 1);
    Catalogue catalogue = Catalogue.of(
        List.of(ProviderConfig.of(
            "main", Dialect.OPENAI, "http://localhost/v1", "k", ProviderConfig.KeyHeader.BEARER)),
        List.of(new ModelConfig(
            "v", "main", "v", embeds, ModelConfig.MaxTokensMember.MAX_TOKENS, false)),
        List.of(Profile.of("embedding_messages", deadlines, "v")));
    Models models = new Models(
        catalogue,
        modelSwitch.over(new OneModel(model)),
        prices,
        new HealthBook(vertx, HealthListener.NONE));
    CompletionService service = new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        models,
        new FailoverGate(vertx),
        prices,
        Counting.o200k(vertx),
        notes,
        new SilentListener(),
        null));
    Caller caller =
        new Caller(new UserId("ana"), UUID.randomUUID(), Buffer.buffer(), false, 0, Span.NONE);
    Future<EmbeddingRun.Vectors> made =
        service.embed(new EmbeddingCommand(caller, "embedding_messages", TEXTS), UNHEARD);
    return made.eventually(() -> {
      assertThat(service.running()).isZero();
      return Future.succeededFuture();
    });
  }

  private record OneModel(EmbeddingModel model) implements ProviderFactory {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig config) {
      throw new IllegalArgumentException(config.id());
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig config) {
      return model;
    }
  }

  @Test
  @DisplayName(
      "is refused while models are off, before anything is held and its request's id used up")
  void off(Vertx vertx) {
    modelSwitch.set(true);

    Throwable told = Wait.onLoop(vertx, () -> embed(vertx, Duration.ofSeconds(20))
        .transform(done -> Future.succeededFuture(done.cause())));

    assertThat(told).isInstanceOfSatisfying(GatewayError.class, off -> assertThat(off.code())
        .isEqualTo(GatewayError.Code.MODELS_OFF));
    assertThat(notes.holds).isEmpty();
    assertThat(notes.ends).isEmpty();
    assertThat(model.totals).isEmpty();
  }

  @Test
  @DisplayName("takes as many calls as the texts need, all in the time of one request")
  void parts(Vertx vertx) {
    Duration total = Duration.ofSeconds(20);

    EmbeddingRun.Vectors made = Wait.onLoop(vertx, () -> embed(vertx, total));

    assertThat(made.vectors()).extracting(vector -> vector[0]).containsExactly(1f, 2f, 3f, 4f, 5f);
    assertThat(made.usage().inputTokens()).isEqualTo(50);
    assertThat(model.totals).hasSize(3).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(model.totals).allMatch(left -> left.compareTo(total) <= 0);
    assertThat(notes.leases).singleElement().satisfies(lease -> assertThat(lease)
        .isGreaterThan(total));
    assertThat(notes.holds)
        .extracting(Accounts.Hold::microUsd)
        .containsExactly(15L + 5 * 16); // nothing is loaded: bytes, and five texts
    assertThat(notes.ends).singleElement().satisfies(end -> {
      assertThat(end.getString("status")).isEqualTo("completed");
      assertThat(end.getLong("billableMicroUsd")).isEqualTo(50);
      assertThat(end.getString("billingSource")).isEqualTo("managed_allowance");
    });
  }

  @Test
  @DisplayName("makes no further call when its time is over, and is settled before its lease is")
  void late(Vertx vertx) {
    model.before = call -> vertx.timer(30);

    Throwable told = Wait.onLoop(vertx, () -> embed(vertx, Duration.ofMillis(20))
        .transform(done -> Future.succeededFuture(done.cause())));

    assertThat(told).isInstanceOfSatisfying(GatewayError.class, late -> assertThat(late.code())
        .isEqualTo(GatewayError.Code.PROVIDER_TIMEOUT));
    assertThat(model.totals).hasSize(1);
    assertThat(notes.ends).singleElement().satisfies(end -> {
      assertThat(end.getString("errorCode")).isEqualTo("provider_timeout");
      assertThat(end.getLong("costMicroUsd")).isEqualTo(20);
      assertThat(end.getLong("billableMicroUsd")).isZero();
    });
  }

  @Test
  @DisplayName("keeps the prices it began with, though others come into force before it is settled")
  void switched(Vertx vertx) {
    PriceBooks prices = PriceBooks.of(book("2026-01-01", 1_000_000));
    PriceBook next = book("2026-01-02", 9_000_000);
    model.before = call -> {
      prices.replace(List.of(prices.configured(), next));
      return Future.succeededFuture();
    };

    Wait.onLoop(vertx, () -> embed(vertx, Duration.ofSeconds(20), prices));
    Wait.onLoop(vertx, () -> embed(vertx, Duration.ofSeconds(20), prices));

    assertThat(notes.holds)
        .extracting(Accounts.Hold::priceBook)
        .containsExactly(prices.configured().version(), next.version());
    assertThat(notes.holds.get(1).microUsd()).isEqualTo(9 * notes.holds.get(0).microUsd());
    assertThat(notes.ends)
        .extracting(end -> end.getLong("costMicroUsd"))
        .containsExactly(50L, 450L);
  }

  @Test
  @DisplayName("costs the operator what was made before one part failed, and the person nothing")
  void failed(Vertx vertx) {
    GatewayError down = ProviderFailure.error(ProviderFailure.Kind.UNAVAILABLE, "down");
    model.before = call -> call == 3 ? Future.failedFuture(down) : Future.succeededFuture();

    Throwable told = Wait.onLoop(vertx, () -> embed(vertx, Duration.ofSeconds(20))
        .transform(done -> Future.succeededFuture(done.cause())));

    assertThat(told).isSameAs(down);
    assertThat(notes.ends).singleElement().satisfies(end -> {
      assertThat(end.getString("status")).isEqualTo("failed");
      assertThat(end.getLong("costMicroUsd")).isEqualTo(40);
      assertThat(end.getLong("billableMicroUsd")).isZero();
    });
  }
}
