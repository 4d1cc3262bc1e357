package dev.askgateway.intake.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An event loop that is late")
class LagShareTest {

  @ParameterizedTest
  @DisplayName("takes all while it is in time, then fewer the later it is, but never none")
  @CsvSource({"0, 1000", "50, 1000", "51, 961", "100, 250", "200, 62", "500, 10", "1000, 2"})
  void share(long lag, long taken) {
    LagShare share = new LagShare(50);
    assertThat(IntStream.range(0, 1000).filter(one -> share.takes(lag)).count()).isEqualTo(taken);
  }
}
