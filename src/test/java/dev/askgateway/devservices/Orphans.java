package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Servers whose parent was killed. They are known by their working directory, which lies in the
 * folder of the dead run: a process id alone may have been given to somebody else since.
 */
final class Orphans {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Orphans() {}

  /** Ends every process that works in {@code run} and returns when they are gone. */
  static void end(Path run) throws IOException {
    var orphans = in(run);
    for (var orphan : orphans) {
      // PostgreSQL takes TERM as "wait for the clients"; QUIT ends it at once and frees its shared
      // memory.
      var signal = orphan.info().command().orElse("").endsWith("postgres") ? "-QUIT" : "-TERM";
      signal(run, signal, orphan);
    }
    awaitEnd(orphans);
    in(run).forEach(ProcessHandle::destroyForcibly);
    awaitEnd(in(run));
  }

  static List<ProcessHandle> in(Path run) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> worksIn(process, run))
        .toList();
  }

  private static boolean worksIn(ProcessHandle process, Path run) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .startsWith(run);
    } catch (IOException | UnsupportedOperationException | SecurityException hidden) {
      return false; // gone meanwhile, or another user's
    }
  }

  private static void signal(Path run, String signal, ProcessHandle process) throws IOException {
    var pid = Long.toString(process.pid());
    Command.run(run, PATIENCE, List.of("sh", "-c", "kill \"$0\" \"$1\" 2>&1 || true", signal, pid));
  }

  private static void awaitEnd(List<ProcessHandle> processes) {
    var ends = processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException stubborn) {
      // The caller looks again and uses force.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
