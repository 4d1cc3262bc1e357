package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.anthropic.AnthropicProvider;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.provider.chaos.matrix.Row.Door;
import dev.askgateway.provider.chaos.matrix.Row.Limit;
import dev.askgateway.provider.gemini.GeminiProvider;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiProvider;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.HealthState;
import dev.askgateway.provider.route.Models;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** Two configured models of one dialect on real sockets; the first has the fault of a row. */
final class TwoModels implements AutoCloseable {
  static final String FIRST_TEXT = "one. ";

  /** The profile of both, in order. */
  static final String BOTH = "both";

  /** The profile of the first alone. */
  static final String ALONE = "alone";

  /** Tokens cost a thousandth of a dollar in, two out: usage can be read off the bill. */
  static final PriceBook PRICES = new PriceBook(
      "matrix",
      LocalDate.of(2026, 1, 1),
      Map.of(
          "one:m", new PriceBook.Price(1_000_000_000, 0, 0, 2_000_000_000),
          "two:m", new PriceBook.Price(1_000_000_000, 0, 0, 2_000_000_000)));

  private static final Script FIRST = Script.answer(FIRST_TEXT, "one more.");
  private static final Script SECOND = Script.answer("two. ", "two more.");
  static final String SECOND_TEXT = SECOND.text();

  /** Long enough for a busy machine to connect, short enough to wait for. */
  private static final Duration SHORT = Duration.ofMillis(1_500);

  private static final Duration LONG = Duration.ofSeconds(15);

  private final Row row;
  private final Reply reply;
  private final ChaosProvider first;
  private final ChaosProvider second;
  private final Models models;

  TwoModels(Vertx vertx, UpstreamClient client, Dialect dialect, Row row) {
    this.row = row;
    Wording wording = Wording.of(dialect);
    reply = row.fault().over(wording, FIRST);
    first = switch (row.door()) {
      case OPEN -> ChaosProvider.listen(vertx, reply);
      case DEAF -> ChaosProvider.deaf(vertx);
      case REFUSES -> ChaosProvider.refusing(vertx);
    };
    second = ChaosProvider.listen(vertx, Reply.answer(wording, SECOND));
    String scheme = row.door() == Door.DEAF ? "https" : "http";
    Catalogue catalogue = Catalogue.of(
        List.of(
            provider(wording, "one", first.baseUrl(scheme)),
            provider(wording, "two", second.baseUrl())),
        List.of(model("one"), model("two")),
        List.of(
            Profile.of(BOTH, deadlines(row.limit()), "model-one", "model-two"),
            Profile.of(ALONE, aloneDeadlines(row.limit()), "model-one")));
    models = new Models(
        catalogue,
        new Dialects(client),
        PriceBooks.of(PRICES),
        new HealthBook(vertx, HealthListener.NONE));
  }

  private static ProviderConfig provider(Wording wording, String name, String url) {
    return ProviderConfig.of(name, wording.dialect(), url, "key-" + name, wording.keyHeader());
  }

  private static ModelConfig model(String provider) {
    ModelConfig model = ModelConfig.of(provider, "m");
    return new ModelConfig(
        "model-" + provider,
        provider,
        "m",
        model.capabilities(),
        model.maxTokensMember(),
        model.sendTemperature());
  }

  private static Deadlines deadlines(Limit limit) {
    return new Deadlines(
        limit == Limit.CONNECT ? SHORT : LONG,
        limit == Limit.HEADERS ? SHORT : LONG,
        limit == Limit.FIRST_DELTA ? SHORT : LONG,
        limit == Limit.STALL ? SHORT : LONG,
        Duration.ofSeconds(60));
  }

  /** The last model's first text may take all that is left, so that is short as well. */
  private static Deadlines aloneDeadlines(Limit limit) {
    Deadlines usual = deadlines(limit);
    return new Deadlines(
        usual.connect(),
        usual.headers(),
        usual.firstDelta(),
        usual.stall(),
        limit == Limit.FIRST_DELTA ? SHORT : usual.total());
  }

  private record Dialects(UpstreamClient client) implements ProviderFactory {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return switch (provider.dialect()) {
        case OPENAI -> new OpenAiProvider(client, provider, model);
        case ANTHROPIC -> new AnthropicProvider(client, provider, model);
        case GEMINI -> new GeminiProvider(client, provider, model);
        default -> throw new IllegalArgumentException(provider.dialect().wire());
      };
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      throw new IllegalArgumentException(provider.name());
    }
  }

  Models models() {
    return models;
  }

  /** The health of a provider's model. */
  HealthState health(String provider) {
    return models.health().states().get(provider + ":m");
  }

  ChaosProvider first() {
    return first;
  }

  ChaosProvider second() {
    return second;
  }

  /** Whether the first model's server accepts the call, so that it may cost something. */
  boolean accepts() {
    return row.door() == Door.OPEN
        && reply.acts().get(0) instanceof Reply.Raw raw
        && raw.bytes().toString().startsWith("HTTP/1.1 200");
  }

  /** Whether the first model's reply goes on until its caller leaves. */
  boolean goesOn() {
    Reply.Act last = reply.acts().get(reply.acts().size() - 1);
    return row.door() == Door.OPEN && (last instanceof Reply.Hold || last instanceof Reply.Again);
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
