package dev.askgateway.cli;

import dev.askgateway.store.RolloutCommands;
import picocli.CommandLine.Option;

/** Who makes a change that is kept, and why. */
final class AuthorOptions {
  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who makes the change (default: the account of this machine).")
  private String by = System.getProperty("user.name", "unknown");

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, at most 500 characters; kept with the change.")
  private String reason = "";

  RolloutCommands.Author author() {
    return new RolloutCommands.Author(by, reason);
  }
}
