package dev.askgateway.evals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.retrieval.RetrievalConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The golden questions")
class GoldenIT {

  @Test
  @DisplayName("find what they ask for in each category, and never what is out of scope or gone")
  void golden() throws Exception {
    try (Lab lab = Lab.open(null, RetrievalConfig.DEFAULT)) {
      GoldenRun golden = new GoldenRun(lab);
      golden.run();

      assertThat(golden.questions()).isGreaterThanOrEqualTo(60);
      assertThat(golden.failures()).as(golden.table()).isEmpty();
    }
  }
}
