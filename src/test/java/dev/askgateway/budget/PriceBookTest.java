package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PriceBookTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 30);

  private static PriceBook book(long input, long read, long write, long output) {
    return new PriceBook(
        "test", DAY, Map.of("p:m", new PriceBook.Price(input, read, write, output)));
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

  @Test
  @DisplayName("a book's version is its name, its day and its content, the same on every machine")
  void version() {
    PriceBook book = book(3_000_000, 300_000, 3_750_000, 15_000_000);
    // The literal is the point: a version stored with a bill is found again by any later build.
    assertThat(book.hash())
        .isEqualTo("c7309457c31e400c5ddef9c7975aa2d01072372c0fad8bdf065bcfa1a48b01b2");
    assertThat(book.version()).isEqualTo("test@2026-11-30#" + book.hash().substring(0, 16));
  }

  @Test
  @DisplayName("other content is another version, another order of the same is not")
  void versionsDiffer() {
    var price = new PriceBook.Price(1, 2, 3, 4);
    Map<String, PriceBook.Price> forth = new LinkedHashMap<>();
    Map<String, PriceBook.Price> back = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      forth.put("p:" + i, price);
      back.put("p:" + (19 - i), price);
    }
    assertThat(new PriceBook("test", DAY, back).version())
        .isEqualTo(new PriceBook("test", DAY, forth).version());
    assertThat(List.of(
                book(1, 2, 3, 4),
                book(2, 1, 3, 4),
                book(1, 2, 34, 0),
                new PriceBook("other", DAY, Map.of("p:m", price)),
                new PriceBook("test", DAY.plusDays(1), Map.of("p:m", price)),
                new PriceBook("test", DAY, Map.of("p:n", price)),
                new PriceBook("test", DAY, Map.of()))
            .stream()
            .map(PriceBook::version))
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a bill has an end, whatever a provider says it used")
  void absurdUsage() {
    Usage absurd = new Usage(Long.MAX_VALUE, 0, 0, Long.MAX_VALUE, 0, false);
    assertThat(book(10_000_000_000L, 0, 0, 10_000_000_000L).costMicroUsd("p", "m", absurd))
        .isEqualTo(1_000_000_000_000L);
  }
}
