package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The worst case of an answer")
class ReserveTest {
  private static final Random RANDOM = new Random(1);

  private record Named(String model) implements ModelProvider {
    @Override
    public String name() {
      return "p";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  private static Plan plan(boolean hedged, String... models) {
    return new Plan(
        "answers",
        List.of(models).stream().map(Named::new).map(Candidate::of).toList(),
        Plan.Commit.TEXT,
        Deadlines.DEFAULT,
        2,
        hedged ? Duration.ofSeconds(1) : Duration.ZERO,
        () -> hedged);
  }

  private static PriceBook.Price anyPrice() {
    return new PriceBook.Price(
        RANDOM.nextInt(20_000_000),
        RANDOM.nextInt(20_000_000),
        RANDOM.nextInt(20_000_000),
        RANDOM.nextInt(90_000_000),
        RANDOM.nextInt(90_000_000),
        RANDOM.nextInt(1_000_000),
        RANDOM.nextInt(20_000_000));
  }

  /** What a model may report within so many tokens, in any of the buckets. */
  private static Usage anyUse(Reserve.Step step) {
    int input = RANDOM.nextInt((int) step.inputTokens() + 1);
    int read = RANDOM.nextInt(input + 1);
    int written = RANDOM.nextInt(input - read + 1);
    int output = RANDOM.nextInt((int) step.outputTokens() + 1);
    return new Usage(
        input - read - written, read, written, output, RANDOM.nextInt(output + 1), false);
  }

  @Test
  @DisplayName("covers any answer with its question's vector and all its further steps")
  void covers() {
    for (int round = 0; round < 3_000; round++) {
      PriceBook book = new PriceBook(
          "test",
          LocalDate.of(2026, 1, 1),
          Map.of("p:a", anyPrice(), "p:b", anyPrice(), "p:q", anyPrice(), "p:v", anyPrice()));
      boolean hedged = RANDOM.nextBoolean();
      Reserve.Embedding vector = new Reserve.Embedding("p:v", RANDOM.nextInt(800));
      Reserve.Step answer = new Reserve.Step(plan(hedged, "a", "b"), 4_000, 700);
      List<Reserve.Step> further = IntStream.range(0, RANDOM.nextInt(3))
          .mapToObj(i -> new Reserve.Step(plan(false, "q", "b"), 3_000, 400))
          .toList();
      long held = new Reserve(book, vector, answer, further).microUsd();

      long cost = book.embeddingMicroUsd(
          "p", "v", new Usage(RANDOM.nextInt((int) vector.tokens() + 1), 0, 0, 0, 0, false));
      List<String> asked = hedged ? List.of("a", "b") : List.of(RANDOM.nextBoolean() ? "a" : "b");
      for (String model : asked) {
        cost += book.costMicroUsd("p", model, anyUse(answer));
      }
      for (Reserve.Step step : further) {
        cost += book.costMicroUsd("p", RANDOM.nextBoolean() ? "q" : "b", anyUse(step));
      }
      assertThat(cost).isLessThanOrEqualTo(held);
    }
  }

  @Test
  @DisplayName("is each of its terms at the dearest rate, rounded up by itself")
  void terms() {
    PriceBook book = new PriceBook(
        "test",
        LocalDate.of(2026, 1, 1),
        Map.of(
            "p:a", new PriceBook.Price(1_000_000, 0, 2_000_000, 10_000_000),
            "p:q", new PriceBook.Price(3_000_000, 0, 0, 0),
            "p:v", new PriceBook.Price(0, 0, 0, 0, 0, 10_000, 0)));
    Reserve.Step answer = new Reserve.Step(plan(false, "a"), 100, 10);
    Reserve.Step planning = new Reserve.Step(plan(false, "q"), 7, 1);
    List<Long> held = new ArrayList<>();
    held.add(new Reserve(book, Reserve.Embedding.NONE, answer, List.of()).microUsd());
    held.add(new Reserve(book, new Reserve.Embedding("p:v", 5), answer, List.of()).microUsd());
    held.add(new Reserve(book, Reserve.Embedding.NONE, answer, List.of(planning)).microUsd());

    assertThat(held).containsExactly(300L, 301L, 321L);
  }
}
