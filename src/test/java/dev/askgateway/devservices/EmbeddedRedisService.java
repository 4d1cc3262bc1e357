package dev.askgateway.devservices;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * Redis from the binary of a Maven artifact, in memory only, on the loopback interface. The process
 * is ours and not the library's: it needs a working directory that tells whose it is.
 */
final class EmbeddedRedisService implements RedisService {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Path folder;
  private final File program;
  private final int port;
  private volatile @Nullable Process process;

  private EmbeddedRedisService(Path folder, File program, int port) {
    this.folder = folder;
    this.program = program;
    this.port = port;
  }

  static EmbeddedRedisService start(Path run) {
    try {
      var folder = Files.createDirectory(run.resolve("redis"));
      var program = ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
      var redis = new EmbeddedRedisService(folder, program, freePort());
      redis.start();
      return redis;
    } catch (IOException | RuntimeException failed) {
      throw failed instanceof DevServicesException known
          ? known
          : DevServicesException.stuck(
              "The embedded Redis does not start (" + failed.getMessage() + ")", failed);
    }
  }

  @Override
  public String url() {
    return "redis://localhost:" + port;
  }

  @Override
  public void start() {
    if (process != null) {
      return;
    }
    var log = folder.resolve("redis.log");
    try {
      var started = new ProcessBuilder(words())
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start();
      process = started;
      awaitAnswer(started);
    } catch (IOException failed) {
      stop();
      throw DevServicesException.stuck(
          "The embedded Redis does not start (" + reason(log, failed) + ")", failed);
    }
  }

  @Override
  public void stop() {
    var running = process;
    process = null;
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (!running.waitFor(5, TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
      }
    } catch (InterruptedException interrupted) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }

  private List<String> words() {
    var words = new ArrayList<String>();
    if (Command.exists("setsid")) {
      // Ctrl-C reaches the whole foreground group; the gateway needs its Redis until it has
      // drained.
      words.add("setsid");
    }
    words.addAll(List.of(
        program.getPath(), "--port", Integer.toString(port), "--bind", "127.0.0.1", "-::1"));
    words.addAll(List.of("--save", "", "--appendonly", "no", "--dir", folder.toString()));
    return words;
  }

  private void awaitAnswer(Process started) throws IOException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!RedisPing.answers("localhost", port)) {
      try {
        if (started.waitFor(20, TimeUnit.MILLISECONDS)) {
          throw new IOException("it ended with code " + started.exitValue());
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", interrupted);
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("no answer within " + PATIENCE.toSeconds() + " s");
      }
    }
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String reason(Path log, Exception failed) {
    try {
      return failed.getMessage() + ": " + Command.lastLine(Files.readString(log));
    } catch (IOException unreadable) {
      return String.valueOf(failed.getMessage());
    }
  }
}
