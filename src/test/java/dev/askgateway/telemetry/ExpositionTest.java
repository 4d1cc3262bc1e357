package dev.askgateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules of promtool's lint, and ours on labels, over everything that is ever exposed. */
@DisplayName("What is exposed to Prometheus")
class ExpositionTest {
  private static final Telemetry TELEMETRY = new Telemetry(Set.of("openai", "extractive"));
  private static final Vertx VERTX = TELEMETRY.vertxBuilder().build();
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** Every label that there may be; what a request says is a value of none of them. */
  private static final Set<String> LABELS = Set.of(
      // ours
      "code",
      "estimated",
      "java",
      "kind",
      "leg",
      "model",
      "outcome",
      "profile",
      "provider",
      "reason",
      "result",
      "route",
      "scope",
      "sources",
      "state",
      "version",
      "windows",
      // of Vert.x and the JVM
      "action",
      "area",
      "cause",
      "gc",
      "id",
      "le",
      "pool",
      "pool_name",
      "pool_type",
      "runtime",
      "vendor");

  /** What lint calls abbreviated, and the units that are not base units. */
  private static final Set<String> WRONG_UNITS = Set.of(
      "s",
      "ms",
      "us",
      "ns",
      "sec",
      "b",
      "kb",
      "mb",
      "gb",
      "tb",
      "pb",
      "m",
      "h",
      "d",
      "minutes",
      "hours",
      "days",
      "weeks",
      "milliseconds",
      "microseconds",
      "nanoseconds",
      "kilobytes",
      "megabytes",
      "gigabytes",
      "percent");

  private static String scrape;

  /** Held: Vert.x closes those that nobody refers to. */
  private static HttpServer server;

  private static HttpClient client;

  /** A metric with what is said of it. */
  private record Family(String name, String type, String help) {}

  @BeforeAll
  static void everythingHappens() {
    for (TurnState state : TurnState.values()) {
      for (GatewayError.Code code : GatewayError.Code.values()) {
        TELEMETRY.answerEnded(state, code, Duration.ofMillis(3));
        TELEMETRY
            .completions()
            .ended(CompletionMeters.Kind.CHAT, state, code, Duration.ofMillis(3));
        TELEMETRY.models().attempted("openai", code);
      }
    }
    for (Route route : Route.values()) {
      TELEMETRY.grounding().routed(route, true);
    }
    for (PlannerOutcome outcome : PlannerOutcome.values()) {
      TELEMETRY.grounding().planned(QueryPlan.Reason.values()[0], outcome);
    }
    for (GroundingMeters.QueryCache result : GroundingMeters.QueryCache.values()) {
      TELEMETRY.grounding().queryLooked(result);
    }
    for (LimitMeters.Scope scope : LimitMeters.Scope.values()) {
      TELEMETRY.limits().limited(scope, LimitMeters.Reason.RATE);
    }
    for (Telemetry.Ingested outcome : Telemetry.Ingested.values()) {
      TELEMETRY.ingested(outcome, 1);
    }
    for (Telemetry.Leg leg : Telemetry.Leg.values()) {
      TELEMETRY.legFailed(leg);
    }
    TELEMETRY.requests().profiles(Set.of("chat"));
    TELEMETRY
        .requests()
        .ended(RequestMeters.Kind.CHAT, "chat", RequestMeters.Result.FALLBACK, 9, 5);
    TELEMETRY.models().tokens("openai", new Usage(1, 1, 1, 1, 1, true));
    TELEMETRY.models().health(List.of("openai:m"), List.of("up", "down"), model -> "up");
    server = Wait.on(VERTX
        .createHttpServer()
        .requestHandler(request -> request.response().end())
        .listen(0));
    client = VERTX.createHttpClient();
    Wait.on(client
        .request(HttpMethod.GET, server.actualPort(), "localhost", "/")
        .compose(request -> request.send().compose(HttpClientResponse::body)));
    scrape = TELEMETRY.scrape();
  }

  @AfterAll
  static void close() {
    Wait.on(VERTX.close());
  }

  private static Map<String, Family> families() {
    Map<String, Family> families = new TreeMap<>();
    Map<String, String> help = new TreeMap<>();
    scrape.lines().filter(line -> line.startsWith("# HELP ")).forEach(line -> {
      String[] parts = line.split(" ", 4);
      help.put(parts[2], parts.length < 4 ? "" : parts[3].trim());
    });
    scrape.lines().filter(line -> line.startsWith("# TYPE ")).forEach(line -> {
      String[] parts = line.split(" ", 4);
      families.put(parts[2], new Family(parts[2], parts[3], help.getOrDefault(parts[2], "")));
    });
    return families;
  }

  private static Matcher sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    return sample;
  }

  private static List<String> samples() {
    return scrape.lines().filter(line -> !line.startsWith("#")).toList();
  }

  @Test
  @DisplayName("has a name in snake case, base units and a help text")
  void names() {
    assertThat(families()).hasSizeGreaterThan(60);
    assertThat(families().values()).allSatisfy(family -> {
      assertThat(family.name()).matches("[a-z][a-z0-9]*(_[a-z0-9]+)*");
      assertThat(family.help()).as(family.name()).isNotEmpty();
      assertThat(Arrays.stream(family.name().split("_")).filter(WRONG_UNITS::contains))
          .as(family.name())
          .isEmpty();
    });
  }

  @Test
  @DisplayName("ends with _total where it only rises, and with no suffix of another type elsewhere")
  void suffixes() {
    assertThat(families().values()).allSatisfy(family -> {
      assertThat(family.name().endsWith("_total"))
          .as(family.name())
          .isEqualTo(family.type().equals("counter"));
      if (!Set.of("histogram", "summary").contains(family.type())) {
        assertThat(family.name()).doesNotMatch(".*_(count|sum|bucket)");
      }
      assertThat(family.name()).doesNotMatch(".*_(counter|gauge|histogram|summary)(_.*|$)");
    });
  }

  @Test
  @DisplayName("has no label but those of a fixed list")
  void labels() {
    Set<String> found = new TreeSet<>();
    samples().forEach(line -> {
      String labels = sample(line).group(2);
      Matcher label = LABEL.matcher(labels == null ? "" : labels);
      while (label.find()) {
        found.add(label.group(1));
      }
    });
    assertThat(found).contains("code", "le", "pool_name").isSubsetOf(LABELS);
  }

  @Test
  @DisplayName("times from 1 ms to a minute, with bounds at what the service promises")
  void buckets() {
    for (String name : List.of(
        "ask_first_text_seconds",
        "ask_first_status_seconds",
        "ask_answer_seconds",
        "ask_completion_seconds",
        "ask_completion_first_output_seconds",
        "ask_provider_first_output_seconds")) {
      Set<String> bounds = new TreeSet<>();
      samples().stream().filter(line -> line.startsWith(name + "_bucket{")).forEach(line -> {
        Matcher bound = Pattern.compile("le=\"([^\"]+)\"").matcher(line);
        assertThat(bound.find()).isTrue();
        bounds.add(bound.group(1));
      });
      assertThat(bounds)
          .as(name)
          .hasSize(18)
          .contains("0.001", "0.25", "1.5", "3.0", "10.0", "30.0", "60.0", "+Inf");
    }
  }

  @Test
  @DisplayName("tells which build runs and since when")
  void build() {
    assertThat(samples())
        .anyMatch(
            line -> line.matches("ask_build_info\\{java=\"[0-9.+_-]+\",version=\"[^\"]+\"} 1"))
        .anyMatch(line -> line.matches("process_start_time_seconds \\S+"))
        .anyMatch(line -> line.matches("process_cpu_seconds_total \\S+"));
  }

  @Test
  @DisplayName("is in docs/metrics.md, where it is ours")
  void documented() throws IOException {
    String docs = Files.readString(Path.of("docs/metrics.md"));
    assertThat(families().keySet())
        .filteredOn(name -> name.startsWith("ask_") && !name.endsWith("_seconds_max"))
        .hasSizeGreaterThan(40)
        .allSatisfy(name -> assertThat(docs).contains("`" + name + "`"));
  }

  @Test
  @DisplayName("is found clean by promtool, where there is one")
  void promtool() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/promtool")), "promtool is not installed");
    Process lint = new ProcessBuilder("/usr/bin/promtool", "check", "metrics")
        .redirectErrorStream(true)
        .start();
    try (var in = lint.getOutputStream()) {
      in.write(scrape.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(said(lint)).isEmpty();
    assertThat(lint.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(lint.exitValue()).isZero();
  }

  private static String said(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
