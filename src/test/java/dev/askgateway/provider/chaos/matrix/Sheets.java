package dev.askgateway.provider.chaos.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sheets of the table of failures, each written by its test. */
final class Sheets {
  private static final Path PARTS = Path.of("target", "failure-matrix");
  private static final Path WHOLE = Path.of("target", "failure-matrix.md");

  private Sheets() {}

  /** Writes a sheet, and the table with all sheets that are there. */
  static void write(String name, String text) {
    try {
      Files.createDirectories(PARTS);
      Files.writeString(PARTS.resolve(name + ".md"), text);
      try (Stream<Path> parts = Files.list(PARTS)) {
        List<String> sheets = parts.sorted().map(Sheets::read).toList();
        Files.writeString(WHOLE, sheets.stream().collect(Collectors.joining("\n")));
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static String read(Path sheet) {
    try {
      return Files.readString(sheet);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
