package dev.askgateway.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The command that changes a level of a running gateway's log. */
@Command(
    name = "log-level",
    description = {
      "Changes a level of the log of the gateway that runs on this machine, until it stops.",
      "Asks its management listener, which must be on."
    })
final class LogLevelCommand implements Callable<Integer> {
  @ParentCommand
  private @Nullable Cli cli;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "A class or package of the gateway: dev.askgateway.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "LEVEL",
      description = "OFF, ERROR, WARN, INFO, DEBUG, TRACE, or INHERIT.")
  private String level = "";

  @Override
  public Integer call() throws Exception {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    cli.out().println(new LogLevel(cli.management()).set(name, level));
    return CommandLine.ExitCode.OK;
  }
}
