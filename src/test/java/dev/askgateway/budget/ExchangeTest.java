package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A payment")
class ExchangeTest {
  private static Exchange of(String amount, String currency, String rate, String markup) {
    return new Exchange(
        new BigDecimal(amount), currency, new BigDecimal(rate), new BigDecimal(markup));
  }

  @ParameterizedTest(name = "{0} {1} at {2} and {3}: worth {4}, credits {5}")
  @DisplayName("is worth its amount at the rate, and buys what it is at rate and markup")
  @CsvSource({
    "1000, INR, 83.5, 1.4, 11976047, 8554319",
    "1000.00, INR, 83.5, 1, 11976047, 11976047",
    "5, USD, 1, 1, 5000000, 5000000",
    "5.01, USD, 1, 1.002, 5010000, 5000000",
    "1, JPY, 150.123456, 1, 6661, 6661",
    "0.001, KWD, 0.307, 1, 3257, 3257",
  })
  void worth(String amount, String currency, String rate, String markup, long paid, long credits) {
    Exchange exchange = of(amount, currency, rate, markup);

    assertThat(exchange.paidMicroUsd()).isEqualTo(paid);
    assertThat(exchange.creditsMicroUsd()).isEqualTo(credits);
    assertThat(exchange.differenceMicroUsd()).isEqualTo(paid - credits);
  }

  @Test
  @DisplayName("never buys more than it is worth, nor loses a whole micro-USD by being cut")
  void bounds() {
    Random random = new Random(835);
    for (int round = 0; round < 5_000; round++) {
      BigDecimal amount = BigDecimal.valueOf(1 + random.nextInt(100_000_000), 2);
      BigDecimal rate = BigDecimal.valueOf(1 + random.nextInt(2_000_000_000), 6);
      BigDecimal markup = BigDecimal.ONE.add(BigDecimal.valueOf(random.nextInt(3_000_000), 6));
      Exchange exchange = new Exchange(amount, "INR", rate, markup);
      BigDecimal micros = amount.movePointRight(6);

      assertThat(exchange.differenceMicroUsd()).isNotNegative();
      assertThat(BigDecimal.valueOf(exchange.creditsMicroUsd()).multiply(rate).multiply(markup))
          .isLessThanOrEqualTo(micros);
      assertThat(
              BigDecimal.valueOf(exchange.creditsMicroUsd() + 1).multiply(rate).multiply(markup))
          .isGreaterThan(micros);
    }
  }

  @ParameterizedTest(name = "{0} {1} at {2} and {3}: {4}")
  @DisplayName("that cannot be is refused by the name of what is wrong")
  @CsvSource({
    "0, INR, 83.5, 1, amount",
    "-1, INR, 83.5, 1, amount",
    "1.005, INR, 83.5, 1, amount",
    "1.5, JPY, 150, 1, amount",
    "1000000001, INR, 83.5, 1, amount",
    "1, INR, 0, 1, rate",
    "1, INR, 83.5000001, 1, rate",
    "1, INR, 83.5, 0.99, markup",
    "1, INR, 83.5, 10.1, markup",
    "1, inr, 83.5, 1, currency",
    "1, QQQ, 83.5, 1, currency",
  })
  void refused(String amount, String currency, String rate, String markup, String named) {
    assertThatThrownBy(() -> of(amount, currency, rate, markup))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(named + " is ");
  }
}
