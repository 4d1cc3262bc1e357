package dev.askgateway.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The commands about providers. */
@Command(name = "provider", description = "Tries the providers of models.")
final class ProviderCommands {
  @ParentCommand
  private @Nullable Cli cli;

  @Command(
      name = "check",
      description = {
        "Asks models a few small questions each and compares what comes with what is configured.",
        "Costs a handful of real calls. Exit code 1 when a check fails."
      })
  int check(
      @Parameters(
              arity = "0..*",
              paramLabel = "MODEL",
              description = "Names under models; without any: all that are asked over a network.")
          @Nullable
          List<String> names)
      throws Exception {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli.check(names == null ? List.of() : names);
  }
}
