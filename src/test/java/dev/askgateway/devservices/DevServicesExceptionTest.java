package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevServicesExceptionTest {
  @TempDir
  private Path folder;

  @Test
  @DisplayName("being stuck is told in one sentence that names the three ways out")
  void threeWaysOut() {
    assertThat(DevServicesException.stuck("There is no C compiler (cc)", null))
        .hasMessage("There is no C compiler (cc); set DATABASE_URL and REDIS_URL, start Docker,"
            + " or install the distribution's postgresql-17-pgvector package.");
  }

  @Test
  @DisplayName("each missing tool of the build is named, a Debian-like system first")
  void missingTools() {
    assertThatThrownBy(() -> PgvectorBuild.requireTools(tool -> !tool.equals("cc")))
        .hasMessageContaining("no C compiler (cc)")
        .hasMessageContaining(DevServicesException.WAYS_OUT);
    assertThatThrownBy(() -> PgvectorBuild.requireTools(tool -> !tool.equals("apt-get")))
        .hasMessageContaining("not Debian-like")
        .hasMessageContaining(DevServicesException.WAYS_OUT);
    assertThatThrownBy(() -> PgvectorBuild.requireTools(tool -> false))
        .hasMessageContaining("not Debian-like");
  }

  @Test
  @DisplayName("a cache folder that cannot be made is told, not traced")
  void unusableCache() throws IOException {
    var file = Files.createFile(folder.resolve("file"));
    var options = new DevServicesOptions(
        Optional.empty(), Optional.empty(), false, file.resolve("cache"), false);

    assertThatThrownBy(() -> DevServices.start(options, line -> {}))
        .isInstanceOf(DevServicesException.class)
        .hasMessageContaining(file.toString())
        .hasMessageEndingWith(DevServicesException.WAYS_OUT + ".");
  }

  @Test
  @DisplayName("a failed program is reported with its name and its last line")
  void failedProgram() {
    var words = List.of("sh", "-c", "echo first; echo 'E: last' >&2; exit 3");

    assertThatThrownBy(() -> Command.run(folder, Duration.ofSeconds(10), words))
        .isInstanceOf(IOException.class)
        .hasMessage("sh failed: E: last");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  @DisplayName("a program that does not end is ended, its children too")
  void endlessProgram() {
    var words = List.of("sh", "-c", "sleep 60 & sleep 60");

    assertThatThrownBy(() -> Command.run(folder, Duration.ofMillis(200), words))
        .hasMessageContaining("sh was not done");
  }
}
