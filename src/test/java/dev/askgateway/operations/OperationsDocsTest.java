package dev.askgateway.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What docs/operations ships")
class OperationsDocsTest {
  private static final Path PROMETHEUS = Operations.FOLDER.resolve("prometheus");

  private static List<JsonNode> alerts() throws IOException {
    return Operations.rules().stream().filter(rule -> rule.has("alert")).toList();
  }

  @Test
  @DisplayName("gives each alert a severity, a summary, and a place in the runbook")
  void alertsAreExplained() throws IOException {
    Set<String> anchors = Files.readString(Operations.FOLDER.resolve("runbook.md"))
        .lines()
        .filter(line -> line.startsWith("## "))
        .map(line -> line.substring(3).strip().toLowerCase(Locale.ROOT).replace(' ', '-'))
        .collect(Collectors.toSet());
    assertThat(alerts()).hasSizeGreaterThan(12);
    assertThat(alerts()).allSatisfy(alert -> {
      String name = alert.path("alert").asText();
      assertThat(alert.path("labels").path("severity").asText())
          .as(name)
          .isIn("critical", "warning");
      assertThat(alert.path("annotations").path("summary").asText()).as(name).endsWith(".");
      String anchor = name.toLowerCase(Locale.ROOT);
      assertThat(alert.path("annotations").path("runbook").asText())
          .isEqualTo("docs/operations/runbook.md#" + anchor);
      assertThat(anchors).contains(anchor);
    });
  }

  @Test
  @DisplayName("tests each alert")
  void alertsAreTested() throws IOException {
    String tests = Files.readString(PROMETHEUS.resolve("alerts.test.yml"));
    assertThat(alerts()).allSatisfy(alert -> assertThat(tests)
        .contains("alertname: " + alert.path("alert").asText() + "\n        exp_alerts:\n"));
  }

  @Test
  @DisplayName("has rules that promtool takes and whose tests pass, where there is one")
  void promtool() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/promtool")), "promtool is not installed");
    succeeds("check", "rules", "rules.yml", "alerts.yml");
    succeeds("check", "config", "prometheus.yml");
    succeeds("test", "rules", "alerts.test.yml");
  }

  private static void succeeds(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = "/usr/bin/promtool";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process run = new ProcessBuilder(command)
        .directory(PROMETHEUS.toFile())
        .redirectErrorStream(true)
        .start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).as(said).isZero();
  }

  @Test
  @DisplayName("has dashboards that each have an id, a data source to choose, and panels apart")
  void dashboards() throws IOException {
    Set<String> uids = new HashSet<>();
    assertThat(Operations.dashboards()).hasSize(5);
    for (Path file : Operations.dashboards()) {
      JsonNode dashboard = Operations.dashboard(file);
      assertThat(uids.add(dashboard.path("uid").asText())).isTrue();
      assertThat(file.getFileName().toString()).isEqualTo(dashboard.path("uid").asText() + ".json");
      Set<Integer> ids = new HashSet<>();
      Set<String> places = new HashSet<>();
      for (JsonNode panel : dashboard.path("panels")) {
        assertThat(ids.add(panel.path("id").asInt())).isTrue();
        assertThat(places.add(
                panel.path("gridPos").path("x") + "," + panel.path("gridPos").path("y")))
            .as(panel.path("title").asText())
            .isTrue();
        if (!panel.path("type").asText().equals("row")) {
          assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
          assertThat(panel.path("targets")).isNotEmpty();
        }
      }
    }
  }
}
