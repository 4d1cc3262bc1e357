package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-03-04T09:59:30Z");

  @ParameterizedTest
  @CsvSource({
    "'Wed, 04 Mar 2026 10:00:00 GMT',30000",
    "'Wed, 04 Mar 2026 09:00:00 GMT',0",
    "'Wed, 04 Mar 2099 09:00:00 GMT',60000",
    "0,0",
    "7,7000",
    "1.5,1500",
    "60,60000",
    "61,60000",
    "99999999999999999999,60000",
    "' 2 ',2000",
    "-1,",
    "'',",
    "soon,",
    "NaN,",
    "1e400,",
    "'Wed, 99 Mar 2026 10:00:00 GMT',"
  })
  @DisplayName("every form of Retry-After is read, capped or ignored (B35)")
  void forms(String value, Long millis) {
    Duration wait =
        RetryAfter.of(MultiMap.caseInsensitiveMultiMap().add("Retry-After", value), NOW);
    assertThat(wait).isEqualTo(millis == null ? null : Duration.ofMillis(millis));
  }

  @Test
  @DisplayName("milliseconds win, and of two headers the first that can be read counts")
  void several() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap().add("retry-after", "-1").add("retry-after", "3");
    assertThat(RetryAfter.of(headers, NOW)).isEqualTo(Duration.ofSeconds(3));
    assertThat(RetryAfter.of(headers.add("retry-after-ms", "250"), NOW))
        .isEqualTo(Duration.ofMillis(250));
    assertThat(RetryAfter.of(MultiMap.caseInsensitiveMultiMap(), NOW)).isNull();
  }
}
