package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a call used is split")
class SharesTest {

  @Test
  @DisplayName("in whole tokens, in proportion, and in all to what there was")
  void adds() {
    Random random = new Random(20261201);
    for (int round = 0; round < 5_000; round++) {
      List<Integer> weights = Stream.generate(() -> 1 + random.nextInt(5_000))
          .limit(1 + random.nextInt(12))
          .toList();
      long total = random.nextInt(3) == 0 ? random.nextInt(5) : random.nextInt(1_000_000_000);
      double sum = weights.stream().mapToInt(Integer::intValue).sum();

      List<Long> shares = Shares.of(total, weights);

      assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(total);
      for (int i = 0; i < weights.size(); i++) {
        assertThat((double) shares.get(i)).isCloseTo(total * weights.get(i) / sum, within(1.0));
      }
    }
  }

  @Test
  @DisplayName("with what was cut off given where most of it was")
  void rests() {
    assertThat(Shares.of(10, List.of(1, 1, 1))).containsExactly(4L, 3L, 3L);
    assertThat(Shares.of(10, List.of(10, 25, 65))).containsExactly(1L, 3L, 6L);
    assertThat(Shares.of(0, List.of(3, 4))).containsExactly(0L, 0L);
  }
}
