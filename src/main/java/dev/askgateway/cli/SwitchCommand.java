package dev.askgateway.cli;

import dev.askgateway.store.RolloutCommands;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The commands of switches that all nodes follow; they connect as the owner of the tables. */
@Command(
    name = "switch",
    description = {
      "Switches what all nodes follow within seconds.",
      "Connects as the owner of the tables. Exit code 1 when it was so already."
    })
final class SwitchCommand {
  @ParentCommand
  private @Nullable Cli cli;

  /** Whether something is switched on. */
  enum Position {
    ON,
    OFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Command(
      name = "models",
      description = {
        "Off: no model is called any more. Questions are answered by quoting what search finds, the",
        "edge refuses with 503 models_off. Answers that a model is writing go on to their end."
      })
  int models(
      @Parameters(paramLabel = "on|off", description = "Whether models may be called.")
          Position position,
      @Mixin AuthorOptions author) {
    Cli parent = parent();
    try (Visit owner = Visit.asOwner(parent.database())) {
      boolean changed = owner.await(new RolloutCommands(owner.database())
          .switchModels(position == Position.ON, author.author()));
      parent.out().println((changed ? "Models are " : "Models were already ") + position + ".");
      return changed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
  }

  private Cli parent() {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli;
  }
}
