package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The three files that make pgvector available to a server.
 *
 * @param library {@code vector.so}
 * @param control {@code vector.control}, which names the version
 * @param script the SQL that creates that version, {@code vector--<version>.sql}
 */
record ExtensionFiles(Path library, Path control, Path script) {
  private static final Pattern VERSION = Pattern.compile("default_version\\s*=\\s*'([^']+)'");

  /** The extension of an installed PostgreSQL or of the cache, when all of it is there. */
  static Optional<ExtensionFiles> in(Path libraries, Path extensions) throws IOException {
    var control = extensions.resolve("vector.control");
    var library = libraries.resolve("vector.so");
    if (!Files.isReadable(control) || !Files.isReadable(library)) {
      return Optional.empty();
    }
    return Optional.of(
            new ExtensionFiles(library, control, extensions.resolve(scriptName(control))))
        .filter(files -> Files.isReadable(files.script()));
  }

  /** The name PostgreSQL looks for, after the default version in the control file. */
  static String scriptName(Path control) throws IOException {
    var version = VERSION.matcher(Files.readString(control));
    if (!version.find()) {
      throw new IOException(control + " names no default_version");
    }
    return "vector--" + version.group(1) + ".sql";
  }

  /** The version, as {@code 0.8.0}. */
  String version() {
    var name = script.getFileName().toString();
    return name.substring("vector--".length(), name.length() - ".sql".length());
  }

  /** Puts the files where a server looks; the control file last, because it makes them visible. */
  ExtensionFiles copyTo(Path libraries, Path extensions) throws IOException {
    return new ExtensionFiles(
        place(library, libraries.resolve(library.getFileName())),
        place(script, extensions.resolve(script.getFileName())),
        place(control, extensions.resolve(control.getFileName())));
  }

  /** Several JVMs may do this at once, and servers may be reading: a file appears whole or not at all. */
  private static Path place(Path file, Path target) throws IOException {
    if (Files.exists(target) && Files.mismatch(file, target) < 0) {
      return target;
    }
    var part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    try {
      Files.copy(file, part);
      return Files.move(
          part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
