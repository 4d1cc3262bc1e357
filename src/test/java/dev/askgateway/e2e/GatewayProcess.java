package dev.askgateway.e2e;

import dev.askgateway.Main;
import dev.askgateway.intake.Tokens;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A gateway in a process of its own, that can be killed and started again on the same port. */
final class GatewayProcess implements AutoCloseable {
  private final int port;
  private final Map<String, String> settings;
  private final File log;
  private Process process;

  /** @param log gets all that it prints */
  GatewayProcess(Map<String, String> settings, Path log) {
    this.settings = settings;
    this.log = log.toFile();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
    process = begun();
  }

  private Process begun() {
    ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx192m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Main.class.getName())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(settings);
    builder.environment().put("ASK_HTTP_HOST", "127.0.0.1");
    builder.environment().put("ASK_HTTP_PORT", String.valueOf(port));
    builder.environment().put("ASK_HTTP_INSTANCES", "1");
    builder
        .environment()
        .put("ASK_ADMISSION_ENABLED", "false"); // a test's machine is late by other things
    builder.environment().put("ASK_AUTH_SECRET", Tokens.SECRET);
    builder.environment().put("ASK_AUTH_ISSUER", Tokens.ISSUER);
    builder.environment().put("ASK_AUTH_AUDIENCE", Tokens.AUDIENCE);
    try {
      return builder.start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  int port() {
    return port;
  }

  /** Whether it takes connections. */
  boolean isUp() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  /** Begins it again when it ended by itself, as a supervisor does: its database may have been away. */
  void supervise() {
    if (!process.isAlive()) {
      process = begun();
    }
  }

  /** SIGTERM: as a supervisor tells it to stop. */
  void terminate() {
    process.destroy();
  }

  /** The exit code, once it has ended. */
  int exitCode() {
    return process.onExit().orTimeout(30, TimeUnit.SECONDS).join().exitValue();
  }

  /** SIGKILL: nothing is told to anybody. Then the next one is begun. */
  void killAndStart() {
    close();
    process = begun();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
