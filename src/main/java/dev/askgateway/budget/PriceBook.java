package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import dev.askgateway.core.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prices of one validity, as data: every usage row names the book it was computed with, so that any
 * past bill can be computed again. A class and no record, because its hash is computed once.
 */
public final class PriceBook {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);
  private static final Pattern MODEL = Pattern.compile("[^:\\p{Cntrl}]+:[^\\p{Cntrl}]+");
  private static final LocalDate FIRST = LocalDate.of(2000, 1, 1);
  private static final LocalDate LAST = LocalDate.of(2999, 12, 31);
  /** 10,000 USD for a million tokens: more is a slip of the pen. */
  static final long MOST_PRICE = 10_000_000_000L;

  private final String id;
  private final LocalDate validFrom;
  private final Map<String, Price> models;
  private final String hash;
  private final String version;

  /**
   * What a million tokens of each bucket cost, in whole micro-USD: 0.0125 USD is 12,500. So the price
   * of one token is a whole number of pico-USD, and a sum of them is exact.
   *
   * @param reasoning of the part of the output that was spent on reasoning
   * @param embedding of the input of a call for vectors
   * @param image of the part of the input that was images, where the provider tells it apart; where it
   *     does not they are input
   */
  public record Price(
      long input,
      long cacheRead,
      long cacheWrite,
      long output,
      long reasoning,
      long embedding,
      long image) {
    public static final Price FREE = new Price(0, 0, 0, 0);

    /** Reasoning costs what other output does; vectors and images what other input does. */
    public Price(long input, long cacheRead, long cacheWrite, long output) {
      this(input, cacheRead, cacheWrite, output, output, input, input);
    }

    /** Checks the numbers under their keys: {@code models.NAME.price.input} and so on. */
    public Price check(String key) {
      rates().forEach((bucket, rate) -> Rule.range(key + "." + bucket, rate, 0, MOST_PRICE));
      return this;
    }

    /** The rate of each bucket by its name. */
    public Map<String, Long> rates() {
      Map<String, Long> rates = new LinkedHashMap<>();
      rates.put("input", input);
      rates.put("cacheRead", cacheRead);
      rates.put("cacheWrite", cacheWrite);
      rates.put("output", output);
      rates.put("reasoning", reasoning);
      rates.put("embedding", embedding);
      rates.put("image", image);
      return rates;
    }
  }

  /**
   * @param id names the line of books, "2026-list": letters, digits, dots, dashes
   * @param validFrom the first day of these prices, in UTC
   * @param models prices by "provider:model"; a model without an entry costs nothing
   */
  public PriceBook(String id, LocalDate validFrom, Map<String, Price> models) {
    Rule.require(
        id.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,39}"),
        "prices.id",
        id,
        "letters, digits, dots and dashes, at most 40");
    Rule.require(
        !validFrom.isBefore(FIRST) && !validFrom.isAfter(LAST),
        "prices.validFrom",
        validFrom,
        FIRST + " to " + LAST);
    this.id = id;
    this.validFrom = validFrom;
    this.models = Map.copyOf(models);
    this.models.forEach((model, price) -> {
      Rule.require(MODEL.matcher(model).matches(), "models." + model, "a name", "provider:model");
      price.check("models." + model);
    });
    this.hash = sha256(content());
    this.version = id + "@" + validFrom + "#" + hash.substring(0, 16);
  }

  public String id() {
    return id;
  }

  public LocalDate validFrom() {
    return validFrom;
  }

  public Map<String, Price> models() {
    return models;
  }

  /** SHA-256 of id, day and prices, hexadecimal: other content, another hash, on any machine. */
  public String hash() {
    return hash;
  }

  /** What usage and ledger rows name: id, day and the beginning of the hash. */
  public String version() {
    return version;
  }

  /** A rate that is as without it is left out, so that books keep their hash when buckets are added. */
  private String content() {
    StringBuilder content = new StringBuilder("1\n").append(id).append('\n').append(validFrom);
    new TreeMap<>(models).forEach((model, price) -> {
      content.append('\n').append(model);
      content.append('\t').append(price.input());
      content.append('\t').append(price.cacheRead());
      content.append('\t').append(price.cacheWrite());
      content.append('\t').append(price.output());
      special(content, "reasoning", price.reasoning(), price.output());
      special(content, "embedding", price.embedding(), price.input());
      special(content, "image", price.image(), price.input());
    });
    return content.toString();
  }

  private static void special(StringBuilder content, String bucket, long rate, long usual) {
    if (rate != usual) {
      content.append('\t').append(bucket).append('=').append(rate);
    }
  }

  private static String sha256(String content) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256")
              .digest(content.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /**
   * The provider's price of a usage, in micro-USD: exact inside, rounded once, half-even, but never to
   * nothing: many calls of a tiny price must not add up to zero.
   */
  public long costMicroUsd(String provider, String model, Usage usage) {
    Price price = price(provider, model);
    return charged(exact(price.input(), usage.inputTokens() - usage.imageTokens())
        .add(exact(price.image(), usage.imageTokens()))
        .add(exact(price.cacheRead(), usage.cacheReadTokens()))
        .add(exact(price.cacheWrite(), usage.cacheWriteTokens()))
        .add(exact(price.output(), usage.outputTokens() - usage.reasoningTokens()))
        .add(exact(price.reasoning(), usage.reasoningTokens())));
  }

  /** The same for a call for vectors: a batch is charged by its sum, so rounded once. */
  public long embeddingMicroUsd(String provider, String model, Usage usage) {
    long rate = price(provider, model).embedding();
    return charged(exact(rate, usage.inputTokens())
        .add(exact(rate, usage.cacheReadTokens()))
        .add(exact(rate, usage.cacheWriteTokens())));
  }

  /** The most that a call with so many tokens can cost, rounded up: what is held before it. */
  public long worstCaseMicroUsd(
      String provider, String model, long inputTokens, long outputTokens) {
    return worstCaseMicroUsd(provider, model, inputTokens, 0, outputTokens);
  }

  /**
   * The same with images, which may be told apart or be input like any other.
   *
   * @param textTokens of the input but for images
   */
  public long worstCaseMicroUsd(
      String provider, String model, long textTokens, long imageTokens, long outputTokens) {
    Price price = price(provider, model);
    long dearestInput = Math.max(price.input(), Math.max(price.cacheRead(), price.cacheWrite()));
    long dearestImage = Math.max(price.image(), dearestInput);
    long dearestOutput = Math.max(price.output(), price.reasoning());
    return rounded(
        exact(dearestInput, textTokens)
            .add(exact(dearestImage, imageTokens))
            .add(exact(dearestOutput, outputTokens)),
        RoundingMode.CEILING);
  }

  /** The same for a call for vectors. */
  public long worstCaseEmbeddingMicroUsd(String provider, String model, long inputTokens) {
    return worstCaseEmbeddingMicroUsd(provider + ":" + model, inputTokens);
  }

  /** The same of a model named "provider:model". */
  public long worstCaseEmbeddingMicroUsd(String model, long inputTokens) {
    Price price = models.getOrDefault(model, Price.FREE);
    return rounded(exact(price.embedding(), inputTokens), RoundingMode.CEILING);
  }

  private Price price(String provider, String model) {
    return models.getOrDefault(provider + ":" + model, Price.FREE);
  }

  private static BigDecimal exact(long rate, long tokens) {
    return BigDecimal.valueOf(rate).multiply(BigDecimal.valueOf(tokens));
  }

  private static long charged(BigDecimal picoUsd) {
    return picoUsd.signum() == 0 ? 0 : Math.max(1, rounded(picoUsd, RoundingMode.HALF_EVEN));
  }

  private static long rounded(BigDecimal picoUsd, RoundingMode mode) {
    // A provider may report any number: the bill has an end, the answer must come to its own.
    return picoUsd.divide(MILLION, 0, mode).min(MOST).longValueExact();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PriceBook book && hash.equals(book.hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  @Override
  public String toString() {
    return version;
  }
}
