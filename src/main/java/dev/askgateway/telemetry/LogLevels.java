package dev.askgateway.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * The levels of our own loggers while the gateway runs. Those of libraries cannot be changed: at debug
 * some write what goes over the wire, keys and questions among it.
 */
public final class LogLevels {
  /** The package over all our loggers. */
  public static final String OURS = "dev.askgateway";

  /** What a level may be; null, that of the package above. */
  public static final List<String> LEVELS =
      List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE");

  /**
   * One logger.
   *
   * @param level its own level, or null
   * @param effective the level that holds for it
   */
  public record Shown(String name, @Nullable String level, String effective) {}

  private LogLevels() {}

  /** Whether it is the name of a class or package of ours. */
  public static boolean isOurs(String name) {
    return name.equals(OURS) || name.startsWith(OURS + ".");
  }

  /** The logger of a class or package of ours; empty for any other name, and for one that is not used. */
  public static Optional<Shown> of(String name) {
    return logger(name).map(LogLevels::shown);
  }

  /**
   * Sets a level, for the whole process until it stops.
   *
   * @param level one of {@link #LEVELS} in any case; null: that of the package above
   * @return empty as for {@link #of}
   * @throws IllegalArgumentException for another level, and for none for the package over all
   */
  public static Optional<Shown> set(String name, @Nullable String level) {
    String wanted = level == null ? null : level.toUpperCase(Locale.ROOT);
    if (wanted == null ? name.equals(OURS) : !LEVELS.contains(wanted)) {
      throw new IllegalArgumentException("the level must be one of " + String.join(", ", LEVELS));
    }
    return logger(name).map(logger -> {
      logger.setLevel(wanted == null ? null : Level.toLevel(wanted));
      return shown(logger);
    });
  }

  /** Lets what is queued out, at the end of the process: nothing is logged after it. */
  public static void close() {
    context().ifPresent(LoggerContext::stop);
  }

  /** Only loggers that exist: a name makes none, so that names take no memory. */
  private static Optional<Logger> logger(String name) {
    return isOurs(name) ? context().map(context -> context.exists(name)) : Optional.empty();
  }

  private static Optional<LoggerContext> context() {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    return factory instanceof LoggerContext context ? Optional.of(context) : Optional.empty();
  }

  private static Shown shown(Logger logger) {
    @Nullable Level own = logger.getLevel();
    return new Shown(
        logger.getName(),
        own == null ? null : own.toString(),
        logger.getEffectiveLevel().toString());
  }
}
