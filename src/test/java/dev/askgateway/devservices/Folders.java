package dev.askgateway.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Folders that are listed and removed while other processes may touch them. */
final class Folders {
  private static final int ATTEMPTS = 10;

  private Folders() {}

  /** The entries of a folder; none when it is not there. */
  static List<Path> children(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (NoSuchFileException absent) {
      return List.of();
    }
  }

  /** Removes a folder and all in it; what another process removes at the same time does not matter. */
  static void delete(Path folder) throws IOException {
    for (int attempt = 1; Files.exists(folder); attempt++) {
      try {
        deleteOnce(folder);
      } catch (NoSuchFileException | DirectoryNotEmptyException changing) {
        if (attempt == ATTEMPTS) {
          throw changing;
        }
      }
    }
  }

  private static void deleteOnce(Path folder) throws IOException {
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }
}
