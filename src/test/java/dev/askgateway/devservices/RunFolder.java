package dev.askgateway.devservices;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The data folder of one run. Its {@code lock} file is locked as long as the run lives, so whoever
 * can lock it knows that the owner was killed; the operating system never forgets to unlock.
 */
final class RunFolder implements AutoCloseable {
  private static final ReentrantLock OPENING = new ReentrantLock();

  /**
   * The runs of this JVM. They must not be probed: closing a second handle of a lock file drops the
   * lock that the first one holds.
   */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private RunFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Clears away the runs that were killed, then makes a new folder. */
  static RunFolder open(Path cache) throws IOException {
    var runs = Files.createDirectories(cache.resolve("runs")).toRealPath();
    OPENING.lock();
    // Between a new folder and its lock no other process may look: it would take it for a dead one.
    try (var gate = channel(cache.resolve("runs.lock"));
        var held = gate.lock()) {
      sweep(runs);
      var path = Files.createDirectory(runs.resolve(UUID.randomUUID().toString()));
      var lock = channel(path.resolve("lock"));
      lock.lock();
      OURS.add(path);
      return new RunFolder(path, lock);
    } finally {
      OPENING.unlock();
    }
  }

  Path path() {
    return path;
  }

  /** The name that marks everything of this run. */
  String id() {
    return path.getFileName().toString();
  }

  /** Whether a run of this name is there; a dead one is not, once {@link #open} has returned. */
  boolean isLive(String id) {
    return Files.exists(path.resolveSibling(id));
  }

  /** Deletes the folder, after ending what still works in it: a server whose start was interrupted. */
  @Override
  public void close() throws IOException {
    try {
      Orphans.end(path);
      Folders.delete(path);
    } finally {
      lock.close();
      OURS.remove(path);
    }
  }

  /** Whether this JVM owns a run. */
  static boolean isOurs(Path run) {
    return OURS.contains(run);
  }

  private static void sweep(Path runs) throws IOException {
    for (var run : Folders.children(runs)) {
      if (isStale(run)) {
        Orphans.end(run);
        Folders.delete(run);
      }
    }
  }

  /** Whether the owner of a run is gone. */
  static boolean isStale(Path run) throws IOException {
    if (isOurs(run)) {
      return false;
    }
    try (var channel = FileChannel.open(run.resolve("lock"), StandardOpenOption.WRITE);
        var free = channel.tryLock()) {
      return free != null;
    } catch (NoSuchFileException halfMade) {
      return true; // its owner died between the two, or is removing it right now
    }
  }

  private static FileChannel channel(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
