package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  @TempDir
  private Path cache;

  @Test
  @DisplayName("a run whose lock nobody holds is removed at the next start, with all its data")
  void staleRunIsRemoved() throws IOException {
    var stale = deadRun("dead");
    Files.writeString(Files.createDirectories(stale.resolve("postgres/base")).resolve("1"), "data");

    try (var run = RunFolder.open(cache)) {
      assertThat(stale).doesNotExist();
      assertThat(run.isLive("dead")).isFalse();
      assertThat(run.path()).isDirectory();
    }
  }

  @Test
  @DisplayName("two runs of one JVM live side by side, and a probe does not drop their locks")
  void liveRunsStay() throws IOException {
    try (var first = RunFolder.open(cache);
        var second = RunFolder.open(cache)) {
      RunFolder.open(cache).close();

      assertThat(first.path()).isDirectory().isNotEqualTo(second.path());
      assertThat(second.isLive(first.id())).isTrue();
      assertThat(RunFolder.isStale(first.path())).isFalse();
    }
  }

  @Test
  @DisplayName("a closed run leaves nothing")
  void closedRunIsGone() throws IOException {
    var run = RunFolder.open(cache);
    Files.writeString(run.path().resolve("file"), "data");
    run.close();

    assertThat(Folders.children(cache.resolve("runs"))).isEmpty();
  }

  @Test
  @DisplayName("a process that works in a dead run is ended; one beside it is not")
  void orphansAreEnded() throws Exception {
    var stale = deadRun("dead");
    var orphan = sleeper(stale);
    var neighbour = sleeper(cache);
    try {
      assertThat(Orphans.in(stale)).extracting(ProcessHandle::pid).containsExactly(orphan.pid());

      RunFolder.open(cache).close();

      assertThat(orphan.waitFor(5, TimeUnit.SECONDS)).isTrue();
      assertThat(neighbour.isAlive()).isTrue();
    } finally {
      orphan.destroyForcibly();
      neighbour.destroyForcibly().waitFor();
    }
  }

  private Path deadRun(String id) throws IOException {
    var run = Files.createDirectories(cache.toRealPath().resolve("runs").resolve(id));
    Files.createFile(run.resolve("lock"));
    return run;
  }

  private static Process sleeper(Path directory) throws IOException {
    return new ProcessBuilder(List.of("sleep", "60"))
        .directory(directory.toFile())
        .start();
  }
}
