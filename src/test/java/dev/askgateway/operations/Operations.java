package dev.askgateway.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What docs/operations holds, read as Prometheus and Grafana read it. */
public final class Operations {
  static final Path FOLDER = Path.of("docs/operations");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private Operations() {}

  /** Every expression of a panel, a rule or an alert, by where it stands. */
  public static Map<String, String> expressions() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    for (JsonNode rule : rules()) {
      String name = rule.path("alert").asText(rule.path("record").asText());
      all.put("rule " + name, rule.path("expr").asText());
    }
    for (Path file : dashboards()) {
      for (JsonNode panel : JSON.readTree(file.toFile()).path("panels")) {
        for (JsonNode target : panel.path("targets")) {
          all.put(
              file.getFileName() + " " + panel.path("title").asText() + " "
                  + target.path("refId").asText(),
              target.path("expr").asText());
        }
      }
    }
    return all;
  }

  static List<Path> dashboards() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("grafana"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  static JsonNode dashboard(Path file) throws IOException {
    return JSON.readTree(file.toFile());
  }

  /** Alerts and recordings. */
  public static List<JsonNode> rules() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    for (String file : List.of("rules.yml", "alerts.yml")) {
      JsonNode groups =
          YAML.readTree(FOLDER.resolve("prometheus").resolve(file).toFile()).path("groups");
      groups.forEach(group -> group.path("rules").forEach(rules::add));
    }
    return rules;
  }
}
