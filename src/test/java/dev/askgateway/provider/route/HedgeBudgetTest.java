package dev.askgateway.provider.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HedgeBudgetTest {

  private static long hedged(HedgeBudget budget, int requests) {
    return IntStream.range(0, requests)
        .parallel()
        .filter(request -> {
          budget.requested();
          return budget.getAsBoolean();
        })
        .count();
  }

  @Test
  @DisplayName("hedges keep to their share of all requests, from whatever threads")
  void share() {
    assertThat(hedged(new HedgeBudget(0), 1_000)).isZero();
    assertThat(hedged(new HedgeBudget(0.05), 10_000)).isBetween(490L, 500L);
    assertThat(hedged(new HedgeBudget(1), 1_000)).isBetween(990L, 1_000L);
  }

  @Test
  @DisplayName("a share saved in quiet times buys only a few hedges at once")
  void saved() {
    HedgeBudget budget = new HedgeBudget(0.5);
    IntStream.range(0, 10_000).forEach(request -> budget.requested());
    assertThat(IntStream.range(0, 100).filter(hedge -> budget.getAsBoolean()).count())
        .isEqualTo(10);
  }
}
