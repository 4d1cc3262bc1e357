package dev.askgateway.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The compose file and the manifests")
class DeploymentTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path COMPOSE = Path.of("docker-compose.yml");
  private static final Path KUBERNETES = Operations.FOLDER.resolve("kubernetes");
  private static final Pattern REQUIRED = Pattern.compile("\\$\\{([A-Z_]+):\\?");
  private static final Pattern NAMED = Pattern.compile("\\$\\{([A-Z_]+)");

  /** What a node needs to be stopped, beside what the configuration says: docs/decisions/0028-admission.md. */
  private static final Duration CLOSING = Duration.ofSeconds(20);

  private static JsonNode manifest(String file) throws IOException {
    return YAML.readTree(KUBERNETES.resolve(file).toFile());
  }

  private static JsonNode pod() throws IOException {
    return manifest("deployment.yaml").path("spec").path("template").path("spec");
  }

  private static JsonNode services() throws IOException {
    return YAML.readTree(COMPOSE.toFile()).path("services");
  }

  private static JsonNode composed() throws IOException {
    return services().path("gateway");
  }

  private static GatewayConfig inCluster() {
    return ConfigLoader.load(
        KUBERNETES.resolve("gateway.yaml"),
        Map.of(
            "DATABASE_URL", "postgresql://ask:secret@postgres:5432/ask",
            "REDIS_URL", "redis://redis:6379"));
  }

  /** The gateway's variables in the compose file, those of .env filled in. */
  private static Map<String, String> composedEnvironment() throws IOException {
    Map<String, String> environment = new HashMap<>();
    composed()
        .path("environment")
        .properties()
        .forEach(variable -> environment.put(
            variable.getKey(),
            Pattern.compile("\\$\\{[A-Z_]+:\\?[^}]*}")
                .matcher(variable.getValue().asText())
                .replaceAll("s3cret-of-32-characters-or-more-")
                .replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1")));
    return environment;
  }

  private static Duration longestStop(GatewayConfig config) {
    return config.http().drainGrace().plus(config.http().drainTimeout()).plus(CLOSING);
  }

  private static Set<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  @DisplayName("give a node more time than it may take to stop")
  void timeToStop() throws IOException {
    long kubernetes = pod().path("terminationGracePeriodSeconds").asLong();
    assertThat(Duration.ofSeconds(kubernetes)).isGreaterThan(longestStop(inCluster()));

    Duration compose =
        Duration.parse("PT" + composed().path("stop_grace_period").asText());
    assertThat(compose).isGreaterThan(longestStop(ConfigLoader.load(null, composedEnvironment())));
  }

  @Test
  @DisplayName("let nothing else set variables that a gateway refuses to start with")
  void noForeignVariables() throws IOException {
    assertThat(manifest("service.yaml").path("metadata").path("name").asText()).startsWith("ask");
    assertThat(pod().path("enableServiceLinks").asBoolean(true)).isFalse();
  }

  @Test
  @DisplayName("scale by a metric that there is, made known to Kubernetes by the adapter's rule")
  void scalesByWhatIsMeasured() throws IOException {
    JsonNode byStreams =
        manifest("autoscaler.yaml").path("spec").path("metrics").path(0);
    String metric = byStreams.path("pods").path("metric").path("name").asText();

    JsonNode rule =
        manifest("prometheus-adapter.yaml").path("rules").path("custom").path(0);
    assertThat(rule.path("name").path("as").asText()).isEqualTo(metric);
    assertThat(rule.path("seriesQuery").asText()).startsWith(metric + "{");
    assertThat(Files.readString(Path.of("docs/metrics.md"))).contains("`" + metric + "`");
  }

  @Test
  @DisplayName("name every manifest that is there in the kustomization, values of charts apart")
  void nothingLeftOut() throws IOException {
    try (Stream<Path> files = Files.list(KUBERNETES)) {
      List<String> manifests = files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .filter(name -> !Set.of("kustomization.yaml", "gateway.yaml", "prometheus-adapter.yaml")
              .contains(name))
          .toList();
      assertThat(manifest("kustomization.yaml").path("resources"))
          .extracting(JsonNode::asText)
          .containsExactlyInAnyOrderElementsOf(manifests);
    }
  }

  @Test
  @DisplayName("run as nobody who may change anything")
  void contained() throws IOException {
    JsonNode container = pod().path("containers").path(0).path("securityContext");
    assertThat(pod().path("securityContext").path("runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod().path("automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(Files.readString(Path.of("Dockerfile"))).contains("\nUSER 10001:10001\n");
    assertThat(pod().path("securityContext").path("runAsUser").asInt()).isEqualTo(10001);
  }

  @Test
  @DisplayName("let nobody but the gateway reach PostgreSQL and Redis")
  void databasesApart() throws IOException {
    Set<String> inside = services().properties().stream()
        .filter(service -> service.getValue().path("networks").toString().contains("\"inside\""))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
    assertThat(inside).containsExactlyInAnyOrder("gateway", "postgres", "redis");
    assertThat(services().path("postgres").path("networks")).hasSize(1);
    assertThat(services().path("redis").path("networks")).hasSize(1);
  }

  @Test
  @DisplayName("have every variable that must be set, and every other one, in the example of .env")
  void example() throws IOException {
    String example = Files.readString(Path.of(".env.example"));
    assertThat(found(REQUIRED, COMPOSE)).isNotEmpty().allSatisfy(name -> assertThat(example)
        .contains("\n" + name + "=\n"));
    assertThat(found(NAMED, COMPOSE))
        .allSatisfy(name -> assertThat(example).containsPattern("\n#?" + name + "="));
  }
}
