package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EmbeddedServicesIT {
  private static final DevServicesOptions EMBEDDED = new DevServicesOptions(
      Optional.empty(),
      Optional.empty(),
      false,
      DevServicesOptions.fromEnvironment().cache(),
      true);

  @BeforeEach
  void machineCanHaveThem() {
    assumeTrue(Files.exists(Path.of("/proc/self/cwd")), "the embedded servers are for Linux");
    assumeTrue(
        (Command.exists("apt-get") && Command.exists("cc"))
            || Files.exists(EMBEDDED.cache().resolve("pgvector")),
        "this machine can neither build pgvector nor has it");
  }

  @Test
  @DisplayName(
      "a second start takes pgvector from the cache, and a close leaves no data and no process")
  void secondStartIsCached() throws IOException {
    DevServices.start(EMBEDDED, line -> {}).close();
    var messages = new ArrayList<String>();
    var before = Folders.children(EMBEDDED.cache().resolve("runs"));
    Path run;
    try (var services = DevServices.start(EMBEDDED, messages::add)) {
      assertThat(services.databaseUrl()).startsWith("postgresql://postgres:");
      var runs = new ArrayList<>(Folders.children(EMBEDDED.cache().resolve("runs")));
      runs.removeAll(before);
      run = ours(runs);
      assertThat(Orphans.in(run)).isNotEmpty();
    }
    assertThat(messages)
        .anyMatch(line -> line.startsWith("pgvector 0") && line.contains(": taken from the "));
    assertThat(run).doesNotExist();
    assertThat(Orphans.in(run)).isEmpty();
  }

  @Test
  @DisplayName("the next start ends what a killed run left behind and leaves a living run alone")
  void killedRunIsCleared() throws Exception {
    var killed = Child.start();
    var living = Child.start();
    try {
      RunFolder.open(EMBEDDED.cache()).close();
      assertThat(killed.redisAnswers()).isTrue();

      killed.process.destroyForcibly().waitFor();
      assertThat(killed.redisAnswers()).as("servers outlive a killed parent").isTrue();
      RunFolder.open(EMBEDDED.cache()).close();

      assertThat(killed.redisAnswers()).isFalse();
      assertThat(killed.run).doesNotExist();
      assertThat(Orphans.in(killed.run)).isEmpty();
      assertThat(living.redisAnswers()).isTrue();
      assertThat(DevServicesIT.column(living.database, "SELECT 'still here'"))
          .containsExactly("still here");
    } finally {
      killed.process.destroyForcibly();
      living.process.destroy();
      living.process.waitFor();
    }
    assertThat(living.run).as("a run that ends by TERM cleans up by itself").doesNotExist();
    assertThat(living.redisAnswers()).isFalse();
  }

  private static Path ours(List<Path> runs) {
    return runs.stream()
        .filter(run -> !Orphans.in(run).isEmpty())
        .filter(run -> RunFolder.isOurs(run))
        .findFirst()
        .orElseThrow();
  }

  /** A JVM of its own that starts the services, says where they are, and waits to be ended. */
  private static final class Child {
    final Process process;
    final DatabaseUrl database;
    final URI redis;
    final Path run;

    private Child(Process process, DatabaseUrl database, URI redis, Path run) {
      this.process = process;
      this.database = database;
      this.redis = redis;
      this.run = run;
    }

    static Child start() throws IOException, SQLException {
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      var classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      var process = new ProcessBuilder(java, "-cp", classPath, Waiting.class.getName())
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
      var lines = process.inputReader(StandardCharsets.UTF_8);
      var database = DatabaseUrl.parse(String.valueOf(lines.readLine()));
      var redis = URI.create(String.valueOf(lines.readLine()));
      var data = Path.of(DevServicesIT.column(database, "SHOW data_directory").get(0));
      return new Child(process, database, redis, data.getParent());
    }

    boolean redisAnswers() {
      return RedisPing.answers(redis.getHost(), redis.getPort());
    }
  }

  /** The main class of the child. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws IOException {
      var services = DevServices.start(EMBEDDED, line -> {});
      System.out.println(services.databaseUrl());
      System.out.println(services.redisUrl());
      System.in.read();
    }
  }
}
