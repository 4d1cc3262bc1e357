package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DevServicesOptionsTest {

  @Test
  @DisplayName("the cache is in XDG_CACHE_HOME, else below HOME, whatever user.home says")
  void cacheFolder() {
    assertThat(DevServicesOptions.from(Map.of("XDG_CACHE_HOME", "/xdg", "HOME", "/home/a"))
            .cache())
        .isEqualTo(Path.of("/xdg/ask-gateway"));
    assertThat(DevServicesOptions.from(Map.of("HOME", "/home/a")).cache())
        .isEqualTo(Path.of("/home/a/.cache/ask-gateway"));
    assertThat(DevServicesOptions.from(Map.of("XDG_CACHE_HOME", "relative", "HOME", "/home/a"))
            .cache())
        .isEqualTo(Path.of("/home/a/.cache/ask-gateway"));
    assertThat(DevServicesOptions.from(Map.of()).cache())
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache", "ask-gateway"));
  }

  @Test
  @DisplayName("an empty address counts as not set")
  void emptyIsUnset() {
    var options = DevServicesOptions.from(Map.of("DATABASE_URL", " ", "REDIS_URL", "redis://r:1"));

    assertThat(options.databaseUrl()).isEmpty();
    assertThat(options.redisUrl()).contains("redis://r:1");
  }
}
