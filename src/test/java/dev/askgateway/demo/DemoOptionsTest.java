package dev.askgateway.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {
  @Test
  @DisplayName("by itself the demo has one person, on port 8080, and no scripted model")
  void defaults() {
    assertThat(DemoOptions.of(new Properties())).isEqualTo(new DemoOptions(8080, 1, false));
  }

  @Test
  @DisplayName("a load test asks for many persons and the scripted model")
  void many() {
    Properties properties = new Properties();
    properties.setProperty("port", "9090");
    properties.setProperty("demo.persons", "20");
    properties.setProperty("demo.provider", "scripted");

    assertThat(DemoOptions.of(properties)).isEqualTo(new DemoOptions(9090, 20, true));
  }

  @ParameterizedTest
  @CsvSource({
    "port, 0",
    "port, 65536",
    "port, http",
    "demo.persons, 0",
    "demo.persons, 1001",
    "demo.persons, -1",
    "demo.provider, openai",
  })
  @DisplayName("a value that cannot be is refused in one sentence that names the property")
  void refused(String property, String value) {
    Properties properties = new Properties();
    properties.setProperty(property, value);

    assertThatThrownBy(() -> DemoOptions.of(properties))
        .isInstanceOf(DemoRun.Unusable.class)
        .hasMessageContaining("-D" + property + "=" + value);
  }
}
