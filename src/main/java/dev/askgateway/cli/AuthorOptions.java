package dev.askgateway.cli;

import dev.askgateway.store.RolloutCommands;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
      converter = Reason.class,
      description = "Why, at most 500 characters; kept with the change.")
  private String reason = "";

  /** As long as the table has it. */
  static final class Reason implements ITypeConverter<String> {
    private static final int MOST = 500;

    @Override
    public String convert(String text) {
      if (text.codePointCount(0, text.length()) > MOST) {
        throw new TypeConversionException("it must be at most 500 characters");
      }
      return text;
    }
  }

  RolloutCommands.Author author() {
    return new RolloutCommands.Author(by, reason);
  }
}
