package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The plays as a sheet. */
final class Table {
  static final String HEAD = """
      # What becomes of a model's failures

      Two configured models on real sockets; the first fails as the row says, before or after its
      first text. Calls are those that reached the models' servers.

      | fault | dialect | when | the reader sees | attempts | calls at 1 / 2 | health of 1 after one | after five in a row | calls at 1 after five, and one more | usage charged | spent by failed attempts | terminals |
      |---|---|---|---|---|---|---|---|---|---|---|---|
      """;

  private Table() {}

  static String of(List<Play> plays) {
    return HEAD + plays.stream().map(Table::line).collect(Collectors.joining());
  }

  private static String line(Play play) {
    Outcome outcome = play.outcome();
    return line(List.of(
        play.row().name(),
        play.dialect().wire(),
        play.row().when().name().toLowerCase(Locale.ROOT),
        seen(outcome),
        String.valueOf(outcome.started().size()),
        play.callsOfOne() + " / " + play.secondCallsOfOne(),
        play.health().get(0).name(),
        play.health().get(1).name(),
        play.callsOfFive() + ", " + play.models().first().calls().size(),
        usage(outcome.charged()),
        outcome.failed().stream()
            .map(failed -> usage(failed.spent()))
            .collect(Collectors.joining(", ")),
        String.valueOf(outcome.ends())));
  }

  static String line(List<String> cells) {
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

  private static String usage(Usage usage) {
    if (usage.equals(Usage.NONE)) {
      return "none";
    }
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    return input + " in, " + usage.outputTokens() + " out"
        + (usage.estimated() ? " (estimated)" : "");
  }
}
