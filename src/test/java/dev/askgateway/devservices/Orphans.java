package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Servers whose parent was killed. They are known by their working directory, which lies in the
 * folder of the dead run: a process id alone may have been given to somebody else since.
 */
final class Orphans {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Orphans() {}

  /** Ends every process that works in {@code run} and returns when they are gone. */
  static void end(Path run) throws IOException {
    for (var orphan : in(run)) {
      // PostgreSQL takes TERM as "wait for the clients"; QUIT ends it at once and frees its shared
      // memory.
      var signal = orphan.info().command().orElse("").endsWith("postgres") ? "-QUIT" : "-TERM";
      signal(run, signal, orphan);
    }
    if (!endsWithin(run)) {
      in(run).forEach(ProcessHandle::destroyForcibly);
      endsWithin(run);
    }
  }

  /** The living processes whose working directory lies in {@code run}; this JVM is none of them. */
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

  /** Looks for them again and again: an orphan that nobody reaps keeps its id but has no directory. */
  private static boolean endsWithin(Path run) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!in(run).isEmpty()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
