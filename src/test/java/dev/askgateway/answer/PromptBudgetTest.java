package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.rollout.Rollouts;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.Prompt.Role;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.TokenMeter;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.UserId;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.provider.tokens.Texts;
import dev.askgateway.provider.tokens.TokenCount;
import dev.askgateway.query.QueryCompiler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("The prompt of a question")
@ExtendWith(VertxExtension.class)
class PromptBudgetTest {
  private static final ZoneId ZONE = ZoneId.of("America/Argentina/ComodRivadavia");
  private static final Instant AT = Instant.parse("2026-09-30T19:00:00Z");

  /** How many tokens each makes of one that is counted. */
  private static final Map<String, Double> MARGINS =
      Map.of("openai", 1.0, "claude", 2.0, "other", 1.5);

  private static final Catalogue CATALOGUE = Catalogue.of(
      List.of(
          server("openai", Dialect.OPENAI, "https://api.openai.com/v1"),
          server("claude", Dialect.ANTHROPIC, "https://api.anthropic.com"),
          server("other", Dialect.OPENAI, "https://models.example.org/v1")),
      List.of(
          ModelConfig.of("openai", "openai"),
          ModelConfig.of("claude", "claude"),
          ModelConfig.of("other", "other")),
      List.of());

  private static ProviderConfig server(String name, Dialect dialect, String url) {
    return ProviderConfig.of(name, dialect, url, "k", ProviderConfig.KeyHeader.BEARER);
  }

  private record Named(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  /** Prices by which a token of input costs one micro-USD, so that a hold tells its tokens. */
  private static PriceBooks prices() {
    Map<String, PriceBook.Price> prices = new HashMap<>();
    MARGINS
        .keySet()
        .forEach(name -> prices.put(name + ":" + name, new PriceBook.Price(1_000_000, 0, 0, 0)));
    return PriceBooks.of(new PriceBook("test", LocalDate.of(2026, 1, 1), prices));
  }

  private static GroundedEngine engine(Vertx vertx, Counting counting, String provider) {
    return new GroundedEngine(
        vertx,
        new QueryCompiler(),
        Unsearched.INSTANCE,
        PromptConfig.DEFAULT,
        PlannerConfig.OFF,
        new FailoverGate(vertx),
        new Seating(
            (user, name, needs, commit) -> Future.succeededFuture(
                Plan.of(Deadlines.DEFAULT, List.of(new Named(provider, provider)))),
            Rollouts.NONE),
        CATALOGUE,
        prices(),
        counting);
  }

  private static String text(Random random, List<String> texts, int most) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(most);
    while (text.length() < length) {
      text.append(texts.get(random.nextInt(texts.size())));
    }
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, Math.max(1, end));
  }

  private static EvidencePack pack(Random random, List<String> texts, int most) {
    List<EvidenceWindow> windows = new ArrayList<>();
    for (int w = 1; w <= 1 + random.nextInt(4); w++) {
      List<EvidenceMessage> messages = new ArrayList<>();
      int size = 1 + random.nextInt(12);
      for (int m = 0; m < size; m++) {
        messages.add(new EvidenceMessage(
            new UUID(w, m),
            "p" + m,
            text(random, texts, 100),
            false,
            AT,
            text(random, texts, most),
            random.nextBoolean(),
            random.nextBoolean() ? "p" + random.nextInt(size) : null));
      }
      windows.add(new EvidenceWindow(
          "S" + w,
          new UUID(w, random.nextInt(size)),
          new UUID(9, w),
          text(random, texts, 100),
          text(random, texts, 100),
          true,
          false,
          messages));
    }
    return new EvidencePack(windows, List.of("vector"));
  }

  private static List<RecentTurn> turns(Random random, List<String> texts) {
    List<RecentTurn> turns = new ArrayList<>();
    for (int t = random.nextInt(9); t > 0; t--) {
      turns.add(
          new RecentTurn(t % 2 == 0 ? Role.USER : Role.ASSISTANT, text(random, texts, 3_000)));
    }
    return turns;
  }

  /** The texts of one kind, or of all. */
  private static List<List<String>> kinds() {
    List<String> all = new ArrayList<>();
    List<List<String>> kinds = new ArrayList<>();
    Texts.prose().values().forEach(text -> kinds.add(List.of(text)));
    Texts.machine().values().forEach(text -> kinds.add(List.of(text)));
    Texts.hostile(2_000).values().stream()
        .map(dev.askgateway.core.SafeText::clean)
        .forEach(text -> kinds.add(List.of(text)));
    kinds.forEach(all::addAll);
    kinds.add(all);
    return kinds;
  }

  private static List<String> texts(Prompt prompt) {
    return prompt.messages().stream().map(Prompt.Message::content).toList();
  }

  /** What is bounded by its own bytes: turns, lines of evidence, the question. */
  private static List<String> pieces(Prompt prompt) {
    List<String> pieces = new ArrayList<>(texts(prompt));
    String last = pieces.remove(pieces.size() - 1);
    int question = last.indexOf("\nQuestion: ") + "\nQuestion: ".length();
    pieces.addAll(List.of(last.substring(0, question).split("(?<=\\n)(?=[\\[> ]|evidence>>>)")));
    pieces.add(last.substring(question));
    return pieces;
  }

  private static TokenCount count(Vertx vertx, Counting exact, List<String> texts) {
    return Wait.onLoop(vertx, () -> exact.of(texts));
  }

  private static void check(Vertx vertx, Counting counting, Counting exact, boolean bounded) {
    Random random = new Random(21);
    for (String provider : MARGINS.keySet()) {
      GroundedEngine engine = engine(vertx, counting, provider);
      double margin = MARGINS.get(provider);
      for (List<String> texts : kinds()) {
        for (int round = 0; round < 4; round++) {
          String question = text(random, texts, round == 0 ? 2_000 : 200).strip() + "?";
          EvidencePack pack = pack(random, texts, 1_200);
          Engine.Route route =
              Wait.onLoop(vertx, () -> engine.route(new UserId("ana"), "any", question));
          Prompt prompt = Wait.onLoop(
              vertx, () -> route.prompt(QueryPlan.plain(), AT, ZONE, turns(random, texts), pack));

          long read = margin > 1
              ? pieces(prompt).stream()
                  .mapToLong(piece -> count(vertx, exact, List.of(piece)).at(margin))
                  .sum()
              : count(vertx, exact, texts(prompt)).tokens();
          long around = (long) TokenMeter.OF_MESSAGE * prompt.messages().size();
          assertThat(read + around)
              .as("%s %.20s", provider, texts.get(0))
              .isLessThanOrEqualTo(route.worstCaseMicroUsd());
          assertThat(prompt.evidence()).isNotEmpty();
          assertThat(prompt.messages().get(prompt.messages().size() - 1).content())
              .endsWith("?");
          if (question.length() < 300 && !bounded) {
            assertThat(route.worstCaseMicroUsd()).isEqualTo(PromptConfig.DEFAULT.inputTokens());
          }
        }
      }
    }
  }

  @Test
  @DisplayName(
      "is never above its hold, in any script, for any vocabulary, with its question whole")
  void withinTheHold(Vertx vertx) {
    Counting counting = Counting.o200k(vertx);
    Wait.onLoop(vertx, counting::load);

    check(vertx, counting, counting, false);
    assertThat(counting.bounded()).isZero();
  }

  @Test
  @DisplayName("is not either where nothing can be counted, and bytes stand for tokens")
  void withoutTheTokenizer(Vertx vertx) {
    Counting exact = Counting.o200k(vertx);
    Wait.onLoop(vertx, exact::load);

    check(vertx, Counting.o200k(vertx), exact, true);
  }

  @Test
  @DisplayName("keeps all evidence that has room")
  void roomy(Vertx vertx) {
    Counting counting = Counting.o200k(vertx);
    Wait.onLoop(vertx, counting::load);
    String english = Texts.prose().get("english");
    EvidencePack pack = pack(new Random(5), List.of(english), 150);
    Engine.Route route = Wait.onLoop(
        vertx, () -> engine(vertx, counting, "openai").route(new UserId("ana"), "any", "When?"));
    Prompt prompt =
        Wait.onLoop(vertx, () -> route.prompt(QueryPlan.plain(), AT, ZONE, List.of(), pack));

    assertThat(prompt.evidence())
        .extracting(window -> window.messages().size())
        .isEqualTo(
            pack.windows().stream().map(window -> window.messages().size()).toList());
  }
}
