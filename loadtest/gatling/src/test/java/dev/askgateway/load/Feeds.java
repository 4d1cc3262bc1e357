package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.listFeeder;

import io.gatling.javaapi.core.FeederBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** Who asks, and what. */
final class Feeds {
  private static final String DEMO_TOKENS = "target/demo/tokens";
  private static final List<String> QUESTIONS = questions();

  private Feeds() {}

  /** The persons in turn, so that each asks as often as any other: {@code token}. */
  static FeederBuilder<Object> persons() {
    List<Map<String, Object>> persons =
        tokens().stream().map(token -> Map.<String, Object>of("token", token)).toList();
    return listFeeder(persons).circular();
  }

  /** {@code -Dtoken}, or the lines of {@code -Dtokens}, or those that the demo wrote. */
  private static List<String> tokens() {
    String one = Settings.text("token", "");
    if (!one.isEmpty()) {
      return List.of(one);
    }
    Path file = Path.of(Settings.text("tokens", DEMO_TOKENS)).toAbsolutePath();
    try (var lines = Files.lines(file)) {
      List<String> tokens =
          lines.map(String::strip).filter(line -> !line.isEmpty()).toList();
      if (tokens.isEmpty()) {
        throw new IllegalArgumentException("There is no token in " + file + ".");
      }
      return tokens;
    } catch (IOException missing) {
      throw new IllegalArgumentException(
          "No tokens: start the demo, or say -Dtoken=TOKEN or -Dtokens=FILE (" + file + ").",
          missing);
    }
  }

  /** Any of the questions, which fit the demo's sample conversations. */
  static String question() {
    return QUESTIONS.get(ThreadLocalRandom.current().nextInt(QUESTIONS.size()));
  }

  private static List<String> questions() {
    try (InputStream in = Feeds.class.getResourceAsStream("/questions.txt")) {
      byte[] bytes = Objects.requireNonNull(in, "questions.txt").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
