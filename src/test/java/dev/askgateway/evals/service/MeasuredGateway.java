package dev.askgateway.evals.service;

import dev.askgateway.intake.Tokens;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The built jar in a process of its own. Its JVM's options are {@code service.options}, its program
 * {@code service.java}, what else it is told are {@code ASK_} variables of this process.
 */
final class MeasuredGateway implements AutoCloseable {
  private static final Path JAR = Path.of("target", "ask-gateway.jar");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Map<String, String> environment;
  private final File log;
  private final int port;
  private Process process;
  private Duration startup = Duration.ZERO;

  /** Starts, and returns when it is ready. */
  MeasuredGateway(Map<String, String> settings, Path log) throws Exception {
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(JAR + " is not there: mvn -q -DskipTests package");
    }
    this.log = log.toFile();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    environment = new HashMap<>(settings);
    environment.put("ASK_HTTP_HOST", "127.0.0.1");
    environment.put("ASK_HTTP_PORT", String.valueOf(port));
    environment.put("ASK_AUTH_SECRET", Tokens.SECRET);
    environment.put("ASK_AUTH_ISSUER", Tokens.ISSUER);
    environment.put("ASK_AUTH_AUDIENCE", Tokens.AUDIENCE);
    process = begin();
  }

  /** A token of a person that is good for a day. */
  static String token(String person) {
    return Tokens.hs256(
        new JsonObject().put("alg", "HS256").put("typ", "JWT"),
        Tokens.claims(person).put("exp", Instant.now().plus(Duration.ofDays(1)).getEpochSecond()),
        Tokens.SECRET);
  }

  private Process begin() throws Exception {
    String java = System.getProperty(
        "service.java", Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String options = System.getProperty("service.options", "-Xmx256m");
    ProcessBuilder builder = new ProcessBuilder(Stream.of(
                Stream.of(java),
                Arrays.stream(options.split(" ")).filter(option -> !option.isEmpty()),
                Stream.of("-jar", JAR.toString()))
            .flatMap(words -> words)
            .toList())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(environment);
    long begun = System.nanoTime();
    Process started = builder.start();
    while (!isReady()) {
      if (!started.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
        started.destroyForcibly();
        throw new IllegalStateException("the gateway does not start: see " + log);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    startup = Duration.ofNanos(System.nanoTime() - begun);
    return started;
  }

  private boolean isReady() throws InterruptedException {
    try {
      return get("/health/ready").statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  int port() {
    return port;
  }

  /** From the start of the process to the first time that it said it was ready. */
  Duration startup() {
    return startup;
  }

  /** All samples of {@code /metrics} by name and labels, as the text has them. */
  Map<String, Double> metrics() throws Exception {
    Map<String, Double> samples = new HashMap<>();
    get("/metrics").body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
      int space = line.lastIndexOf(' ');
      samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
    });
    return samples;
  }

  /** Resident memory in MB, on Linux; NaN elsewhere. */
  double residentMb() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    if (!Files.exists(status)) {
      return Double.NaN;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(Double.NaN);
    }
  }

  /** Open files and sockets, on Linux; -1 elsewhere. */
  int openFiles() {
    String[] files = new File("/proc/" + process.pid() + "/fd").list();
    return files == null ? -1 : files.length;
  }

  /** CPU time that it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** SIGTERM: as a supervisor tells it to stop. */
  void terminate() {
    process.destroy();
  }

  /** The exit code, once it has ended. */
  int exitCode() {
    return process.onExit().orTimeout(3, TimeUnit.MINUTES).join().exitValue();
  }

  /** Starts it again on its port, after it has ended. */
  void restart() throws Exception {
    process = begin();
  }

  @Override
  public void close() {
    process.destroy();
    if (!process
        .onExit()
        .completeOnTimeout(process, 30, TimeUnit.SECONDS)
        .join()
        .isAlive()) {
      return;
    }
    process.destroyForcibly().onExit().join();
  }
}
