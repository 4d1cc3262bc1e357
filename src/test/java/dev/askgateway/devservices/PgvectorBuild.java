package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** Compiles pgvector from the distribution's source package. Nothing is installed on the machine. */
final class PgvectorBuild {
  private static final Duration COMPILE = Duration.ofMinutes(3);

  /** What pgvector's own Makefile asks for, without the flag that ties the result to one processor. */
  private static final List<String> FLAGS = List.of(
      "-O3",
      "-fPIC",
      "-fno-strict-aliasing",
      "-fwrapv",
      "-ftree-vectorize",
      "-fassociative-math",
      "-fno-signed-zeros",
      "-fno-trapping-math");

  private final Path work;
  private final int major;

  private PgvectorBuild(Path work, int major) {
    this.work = work;
    this.major = major;
  }

  /**
   * Leaves {@code vector.so}, {@code vector.control} and the SQL script in {@code target}.
   *
   * @param work an empty folder for the pieces
   * @param major PostgreSQL's major version
   * @throws DevServicesException when the machine lacks what it takes
   */
  static void run(Path work, int major, Path target) {
    requireTools(Command::exists);
    try {
      new PgvectorBuild(work, major).build(target);
    } catch (IOException failed) {
      throw DevServicesException.stuck(
          "pgvector could not be built for the embedded PostgreSQL (" + failed.getMessage() + ")",
          failed);
    }
  }

  static void requireTools(Predicate<String> exists) {
    if (!exists.test("apt-get") || !exists.test("dpkg-deb")) {
      throw DevServicesException.stuck(
          "The embedded PostgreSQL lacks pgvector, and on this system ("
              + System.getProperty("os.name")
              + ", not Debian-like) it cannot be built",
          null);
    }
    if (!exists.test("cc")) {
      throw DevServicesException.stuck(
          "The embedded PostgreSQL lacks pgvector, and there is no C compiler (cc) to build it",
          null);
    }
  }

  private void build(Path target) throws IOException {
    var apt = AptSource.open(work);
    var headers = work.resolve("server");
    var source = work.resolve("pgvector");
    apt.binary("postgresql-server-dev-" + major, headers);
    apt.source("pgvector", source);
    compile(
        source,
        headers.resolve("usr/include/postgresql/" + major + "/server"),
        target.resolve("vector.so"));
    var control = Files.copy(source.resolve("vector.control"), target.resolve("vector.control"));
    Files.copy(
        source.resolve("sql/vector.sql"), target.resolve(ExtensionFiles.scriptName(control)));
  }

  private void compile(Path source, Path headers, Path library) throws IOException {
    var jobs = new ArrayList<Callable<String>>();
    var link = new ArrayList<>(List.of("cc", "-shared", "-o", library.toString()));
    for (var file : Folders.children(source.resolve("src"))) {
      if (file.toString().endsWith(".c")) {
        var object = work.resolve(file.getFileName() + ".o").toString();
        var words = new ArrayList<>(
            List.of("cc", "-c", file.toString(), "-o", object, "-I", headers.toString()));
        words.addAll(FLAGS);
        jobs.add(() -> Command.run(work, COMPILE, words));
        link.add(object);
      }
    }
    inParallel(jobs);
    link.add("-lm");
    Command.run(work, COMPILE, link);
  }

  private static void inParallel(List<Callable<String>> jobs) throws IOException {
    var workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      for (var done : workers.invokeAll(jobs)) {
        done.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause().getMessage(), failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      workers.shutdownNow();
    }
  }
}
