package dev.askgateway.devservices;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the machine and waits for it. */
final class Command {
  private Command() {}

  /**
   * Returns what the program printed, both streams together.
   *
   * @throws IOException when it cannot start, fails, or is not done after {@code limit}; the message
   *     holds the program's name and its last line
   */
  static String run(Path directory, Duration limit, List<String> words) throws IOException {
    var output = Files.createTempFile(directory, "command", ".log");
    try {
      var builder = new ProcessBuilder(words)
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectInput(new File("/dev/null"))
          .redirectOutput(output.toFile());
      builder.environment().put("LC_ALL", "C");
      await(builder.start(), limit, words.get(0), output);
      return text(output);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Whether a program of this name is on the PATH. */
  static boolean exists(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** The last line of a program's output that says something. */
  static String lastLine(String output) {
    return output
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce("no output", (first, last) -> last);
  }

  private static void await(Process process, Duration limit, String program, Path output)
      throws IOException {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(program + " was not done after " + limit.toSeconds() + " s");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(program + " was interrupted", interrupted);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(program + " failed: " + lastLine(text(output)));
    }
  }

  private static String text(Path output) throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
  }
}
