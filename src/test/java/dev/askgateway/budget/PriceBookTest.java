package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PriceBookTest {
  private static PriceBook book(long input, long read, long write, long output) {
    return new PriceBook("test", Map.of("p:m", new PriceBook.Price(input, read, write, output)));
  }

  @Test
  @DisplayName("cache writes are charged once, at their own price")
  void cacheWrites() {
    PriceBook book = book(3_000_000, 300_000, 3_750_000, 15_000_000);

    assertThat(book.costMicroUsd("p", "m", new Usage(3, 0, 12_304, 550, 0, false)))
        .isEqualTo(54_399);
  }

  @Test
  @DisplayName("a half rounds to the even neighbour, once")
  void halfEven() {
    assertThat(book(500_000, 0, 0, 0).costMicroUsd("p", "m", new Usage(1, 0, 0, 0, 0, false)))
        .isZero();
    assertThat(book(500_000, 0, 0, 0).costMicroUsd("p", "m", new Usage(3, 0, 0, 0, 0, false)))
        .isEqualTo(2);
    assertThat(book(250_000, 0, 0, 250_000).costMicroUsd("p", "m", new Usage(3, 0, 0, 3, 0, false)))
        .isEqualTo(2);
  }

  @Test
  @DisplayName("what is held covers any split of the same tokens")
  void worstCaseCovers() {
    Random random = new Random(3);
    for (int round = 0; round < 5_000; round++) {
      PriceBook book = book(
          random.nextInt(20_000_000), 0, random.nextInt(20_000_000), random.nextInt(90_000_000));
      long plain = random.nextInt(5_000);
      long written = random.nextInt(5_000);
      long output = random.nextInt(2_000);
      assertThat(book.costMicroUsd("p", "m", new Usage(plain, 0, written, output, 0, false)))
          .isLessThanOrEqualTo(book.worstCaseMicroUsd("p", "m", plain + written, output));
    }
  }

  @Test
  @DisplayName("a model without a price is free")
  void free() {
    assertThat(book(1, 1, 1, 1).costMicroUsd("other", "m", new Usage(9, 9, 9, 9, 0, false)))
        .isZero();
  }
}
