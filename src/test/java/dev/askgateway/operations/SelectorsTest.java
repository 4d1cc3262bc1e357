package dev.askgateway.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.operations.Selectors.Needs;
import dev.askgateway.operations.Selectors.Selector;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The series that a PromQL expression asks for")
class SelectorsTest {
  @Test
  @DisplayName("are found within functions, aggregations, ranges and strings")
  void found() {
    Needs needs = Selectors.of(
        "histogram_quantile(0.95, sum by (le, instance) "
            + "(rate(a_seconds_bucket{instance=~\"b{c}\",state!=\"x\\\"y\"}[$__rate_interval]))) > 1e6");
    assertThat(needs.selectors())
        .containsExactly(new Selector("a_seconds_bucket", Set.of("instance", "state")));
    assertThat(needs.grouped()).containsExactlyInAnyOrder("le", "instance");
  }

  @Test
  @DisplayName("are all of a sum of several, recorded ones among them")
  void several() {
    Needs needs = Selectors.of(
        "max(one) > sum(two{}) + three and on (job) kind:four:rate5m unless sum(five) by (x) offset 5m");
    assertThat(needs.selectors())
        .extracting(Selector::metric)
        .containsExactly("one", "two", "three", "kind:four:rate5m", "five");
    assertThat(needs.grouped()).containsExactlyInAnyOrder("job", "x");
  }

  @Test
  @DisplayName("are not found in what is no expression")
  void broken() {
    for (String text : new String[] {"a{b=\"c\"", "a[5m", "a{b=\"c", "{b=\"c\"}"}) {
      assertThatThrownBy(() -> Selectors.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
