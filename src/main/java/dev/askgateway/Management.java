package dev.askgateway;

import dev.askgateway.config.GatewayConfig;
import dev.askgateway.intake.Health;
import dev.askgateway.intake.ManagementDoor;
import dev.askgateway.intake.admission.Admissions;
import dev.askgateway.telemetry.LogLevels;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operator's own listener, wired. */
final class Management {
  private Management() {}

  static ManagementDoor door(
      Vertx vertx,
      GatewayConfig config,
      Telemetry telemetry,
      @Nullable Stores stores,
      Admissions admissions) {
    return new ManagementDoor(
        vertx,
        config.management(),
        new Health(stores == null ? Map.of() : stores.health(), admissions),
        telemetry::scrape,
        LEVELS);
  }

  private static final ManagementDoor.Levels LEVELS = new ManagementDoor.Levels() {
    @Override
    public Optional<ManagementDoor.Level> of(String name) {
      return LogLevels.of(name).map(Management::level);
    }

    @Override
    public Optional<ManagementDoor.Level> set(String name, @Nullable String level) {
      return LogLevels.set(name, level).map(Management::level);
    }

    @Override
    public List<String> all() {
      return LogLevels.LEVELS;
    }
  };

  private static ManagementDoor.Level level(LogLevels.Shown shown) {
    return new ManagementDoor.Level(shown.name(), shown.level(), shown.effective());
  }
}
