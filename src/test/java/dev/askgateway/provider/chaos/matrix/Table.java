package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The plays as a table in Markdown. */
final class Table {
  private static final String HEAD = """
      # What becomes of a model's failures

      Two models on real sockets; the first fails as the row says, before or after its first text.

      | fault | dialect | when | the reader sees | attempts | calls at 1 / 2 | breaker of 1 / 2 | usage charged | spent by failed attempts |
      |---|---|---|---|---|---|---|---|---|
      """;

  private Table() {}

  static void write(Path file, List<Play> plays) {
    String rows = plays.stream().map(Table::line).collect(Collectors.joining());
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, HEAD + rows);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static String line(Play play) {
    Outcome outcome = play.outcome();
    List<String> cells = List.of(
        play.row().name(),
        play.dialect().wire(),
        play.row().when().name().toLowerCase(java.util.Locale.ROOT),
        seen(outcome),
        String.valueOf(outcome.started().size()),
        play.first().calls().size() + " / " + play.second().calls().size(),
        health(play.firstCandidate()) + " / " + health(play.secondCandidate()),
        usage(outcome.charged()),
        outcome.failed().stream()
            .map(failed -> usage(failed.spent()))
            .collect(Collectors.joining(", ")));
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String seen(Outcome outcome) {
    String text = outcome.text().isEmpty() ? "no text" : "\"" + outcome.text().strip() + "\"";
    if (outcome.failure() != null) {
      String wait = outcome.failure().retryAfter() == null
          ? ""
          : ", again in " + outcome.failure().retryAfter().toMillis() + " ms";
      return text + ", then " + outcome.failure().code().wire() + " ("
          + ProviderFailure.kindOf(outcome.failure()) + ")" + wait;
    }
    return text + ", "
        + outcome.reasons().stream()
            .map(reason -> reason.wire())
            .collect(Collectors.joining(" and "));
  }

  private static String health(RecordedCandidate candidate) {
    return candidate.ends().isEmpty() ? "-" : String.join(", ", candidate.ends());
  }

  private static String usage(Usage usage) {
    if (usage.equals(Usage.NONE)) {
      return "none";
    }
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    return input + " in, " + usage.outputTokens() + " out"
        + (usage.estimated() ? " (estimated)" : "");
  }
}
