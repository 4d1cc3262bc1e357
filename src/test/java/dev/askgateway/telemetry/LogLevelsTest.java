package dev.askgateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("The levels of the log")
class LogLevelsTest {
  private static final String NAME = "dev.askgateway.telemetry.sample.One";
  private final Logger one = LoggerFactory.getLogger(NAME);

  @AfterEach
  void back() {
    LogLevels.set(NAME, null);
    LogLevels.set("dev.askgateway.telemetry.sample", null);
  }

  @Test
  @DisplayName("can be set for a class and for a package, and given back")
  void set() {
    assertThat(LogLevels.set(NAME, "debug")).contains(new LogLevels.Shown(NAME, "DEBUG", "DEBUG"));
    assertThat(one.isDebugEnabled()).isTrue();
    assertThat(one.isTraceEnabled()).isFalse();
    LogLevels.set("dev.askgateway.telemetry.sample", "TRACE");
    assertThat(LogLevels.set(NAME, null)).contains(new LogLevels.Shown(NAME, null, "TRACE"));
    assertThat(one.isTraceEnabled()).isTrue();
    assertThat(LogLevels.of(NAME)).contains(new LogLevels.Shown(NAME, null, "TRACE"));
  }

  @Test
  @DisplayName("of libraries cannot be set, and a name that nothing has makes no logger")
  void foreign() {
    for (String name : new String[] {
      "ROOT", "io.netty", "io.vertx", "dev.askgatewayx", "dev.askgateway.not.There", ""
    }) {
      assertThat(LogLevels.set(name, "TRACE")).as(name).isEmpty();
      assertThat(LogLevels.of(name)).as(name).isEmpty();
    }
    assertThat(LoggerFactory.getLogger("io.netty.handler.logging").isTraceEnabled())
        .isFalse();
  }

  @Test
  @DisplayName("are those that there are, and the package over all of ours keeps one")
  void wrong() {
    assertThatThrownBy(() -> LogLevels.set(NAME, "LOUD"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LogLevels.set(LogLevels.OURS, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
