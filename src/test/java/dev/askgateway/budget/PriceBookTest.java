package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriceBookTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 30);

  private static PriceBook of(PriceBook.Price price) {
    return new PriceBook("test", DAY, Map.of("p:m", price));
  }

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
    assertThat(book(500_000, 0, 0, 0).costMicroUsd("p", "m", new Usage(5, 0, 0, 0, 0, false)))
        .isEqualTo(2);
    assertThat(book(500_000, 0, 0, 0).costMicroUsd("p", "m", new Usage(3, 0, 0, 0, 0, false)))
        .isEqualTo(2);
    assertThat(book(250_000, 0, 0, 250_000).costMicroUsd("p", "m", new Usage(3, 0, 0, 3, 0, false)))
        .isEqualTo(2);
  }

  @Test
  @DisplayName("reasoning is charged at its own rate, and the rest of the output at the output's")
  void reasoning() {
    PriceBook book = of(new PriceBook.Price(0, 0, 0, 2_000_000, 5_000_000, 0, 0));

    assertThat(book.costMicroUsd("p", "m", new Usage(0, 0, 0, 100, 30, false)))
        .isEqualTo(70 * 2 + 30 * 5);
    assertThat(book.worstCaseMicroUsd("p", "m", 0, 100)).isEqualTo(500);
  }

  @Test
  @DisplayName("images are charged at their own rate, and the rest of the input at the input's")
  void images() {
    PriceBook book = of(new PriceBook.Price(2_000_000, 1_000_000, 0, 0, 0, 0, 5_000_000));

    assertThat(book.costMicroUsd("p", "m", new Usage(100, 10, 0, 0, 0, 30, false)))
        .isEqualTo(70 * 2 + 30 * 5 + 10);
    assertThat(book.costMicroUsd("p", "m", new Usage(100, 10, 0, 0, 0, false)))
        .isEqualTo(100 * 2 + 10);
    assertThat(book.worstCaseMicroUsd("p", "m", 70, 30, 0)).isEqualTo(70 * 2 + 30 * 5);
  }

  @Test
  @DisplayName("what is held for text and images covers any split of them, told apart or not")
  void worstCaseCoversImages() {
    Random random = new Random(17);
    for (int round = 0; round < 5_000; round++) {
      PriceBook book = of(new PriceBook.Price(
          random.nextInt(20_000_000),
          random.nextInt(20_000_000),
          random.nextInt(20_000_000),
          random.nextInt(90_000_000),
          random.nextInt(90_000_000),
          0,
          random.nextInt(50_000_000)));
      int text = random.nextInt(5_000);
      int images = random.nextInt(5_000);
      int read = random.nextInt(text + 1);
      int written = random.nextInt(text - read + 1);
      int output = random.nextInt(2_000);
      int told = random.nextBoolean() ? images : random.nextInt(images + 1);
      Usage usage = new Usage(
          text - read - written + (long) images,
          read,
          written,
          output,
          random.nextInt(output + 1),
          told,
          false);

      assertThat(book.costMicroUsd("p", "m", usage))
          .as("%s", usage)
          .isLessThanOrEqualTo(book.worstCaseMicroUsd("p", "m", text, images, output));
    }
  }

  @Test
  @DisplayName("vectors are charged at their own rate, a batch by its sum")
  void vectors() {
    PriceBook book = of(new PriceBook.Price(1_000_000, 0, 0, 0, 0, 20_000, 0));

    assertThat(book.embeddingMicroUsd("p", "m", new Usage(50_000, 0, 0, 0, 0, false)))
        .isEqualTo(1_000);
    assertThat(book.worstCaseEmbeddingMicroUsd("p", "m", 5)).isEqualTo(1);
  }

  @Test
  @DisplayName("many calls of a tiny price do not add up to nothing")
  void tiny() {
    PriceBook book = of(new PriceBook.Price(20_000, 0, 0, 0));
    long sum = 0;
    for (int call = 0; call < 10_000; call++) {
      sum += book.embeddingMicroUsd("p", "m", new Usage(5, 0, 0, 0, 0, false));
    }

    assertThat(sum).isEqualTo(10_000); // each rounds up from a tenth
    assertThat(book.costMicroUsd("p", "m", Usage.NONE)).isZero();
  }

  @Test
  @DisplayName("a cost is within half a micro-USD of the exact one, or one instead of less")
  void exact() {
    Random random = new Random(41);
    for (int round = 0; round < 20_000; round++) {
      String[] texts = new String[5];
      Map<String, Long> rates = new LinkedHashMap<>();
      List<String> buckets = List.of("input", "cacheRead", "cacheWrite", "output", "reasoning");
      for (int i = 0; i < texts.length; i++) {
        texts[i] = decimal(random);
        rates.put(buckets.get(i), PriceText.parse(texts[i]).orElseThrow());
      }
      Usage usage =
          new Usage(random.nextInt(300), random.nextInt(300), random.nextInt(300), 300, 100, false);
      long[] tokens = {
        usage.inputTokens(), usage.cacheReadTokens(), usage.cacheWriteTokens(), 200, 100
      };
      BigDecimal dollarsPerMillion = BigDecimal.ZERO; // equals micro-USD
      for (int i = 0; i < texts.length; i++) {
        dollarsPerMillion =
            dollarsPerMillion.add(new BigDecimal(texts[i]).multiply(BigDecimal.valueOf(tokens[i])));
      }
      BigDecimal expected = dollarsPerMillion.setScale(0, RoundingMode.HALF_EVEN);
      if (expected.signum() == 0 && dollarsPerMillion.signum() > 0) {
        expected = BigDecimal.ONE;
      }

      assertThat(of(PriceContent.price("p:m", rates)).costMicroUsd("p", "m", usage))
          .as("%s %s", rates, usage)
          .isEqualTo(expected.longValueExact());
    }
  }

  /** A price with up to six decimals; many are tiny. */
  private static String decimal(Random random) {
    int scale = random.nextInt(7);
    long digits = random.nextInt(random.nextBoolean() ? 30 : 2_000_000);
    return BigDecimal.valueOf(digits % 9_999_000_000L, scale)
        .min(BigDecimal.valueOf(10_000))
        .toPlainString();
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
  @DisplayName(
      "a rate that is as without it does not change the version; what is stored reads back")
  void stored() {
    assertThat(of(new PriceBook.Price(1, 2, 3, 4, 4, 1, 1)).hash())
        .isEqualTo(book(1, 2, 3, 4).hash());
    PriceBook book = of(new PriceBook.Price(12_500, 0, 3_750_000, 15_000_000, 1, 20_000, 7));
    assertThat(book.hash())
        .isEqualTo("4df3a84725d83d44eecd55a9f18ee74adfa76d7cef0d6a2351fd8be17a487e07");
    assertThat(PriceContent.fromJson(PriceContent.toJson(book)).hash()).isEqualTo(book.hash());
    assertThat(PriceContent.toJson(book).getJsonObject("models").getJsonObject("p:m"))
        .isEqualTo(new JsonObject()
            .put("input", "0.0125")
            .put("cacheRead", "0")
            .put("cacheWrite", "3.75")
            .put("output", "15")
            .put("reasoning", "0.000001")
            .put("embedding", "0.02")
            .put("image", "0.000007"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".5",
        "5.",
        "-1",
        "+1",
        "1e3",
        "00.1",
        "0.0000001",
        "10000.000001",
        "99999",
        " 1",
        "1,5",
        "NaN"
      })
  @DisplayName("is no price")
  void noPrice(String text) {
    assertThat(PriceText.parse(text)).isEmpty();
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
                of(new PriceBook.Price(1, 2, 3, 4, 5, 1, 1)),
                of(new PriceBook.Price(1, 2, 3, 4, 4, 5, 1)),
                of(new PriceBook.Price(1, 2, 3, 4, 4, 1, 5)),
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
