package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.operations.Operations;
import dev.askgateway.operations.Selectors;
import dev.askgateway.operations.Selectors.Needs;
import dev.askgateway.provider.ScriptedProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dashboards, rules and alerts")
class DashboardsIT {
  private static final Pattern SAMPLE = Pattern.compile("([a-z_][a-z0-9_]*)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-z_][a-z0-9_]*)=\"");

  /** What Prometheus itself adds. */
  private static final Set<String> SCRAPED = Set.of("instance", "job");

  /** Counted only where a setting is on, or once something of that kind went wrong. */
  private static final Map<String, Set<String>> SELDOM = Map.of(
      "ask_limited_total", Set.of("scope", "reason"),
      "ask_retrieval_legs_failed_total", Set.of("leg"),
      "ask_query_cache_total", Set.of("result"),
      "ask_planner_total", Set.of("reason", "outcome"));

  private static Model model;
  private static Node node;
  private static final Map<String, Set<String>> EXPOSED = new TreeMap<>();

  @BeforeAll
  static void useIt() {
    model = new Model();
    node = Node.start(model.settings());
    Api api = Samples.withBooking(node);
    model.says(Model.delta("It is booked [S1]."), Model.STOP, Model.USAGE, Model.DONE);
    assertThat(api.post(Api.ASK, Api.question(Samples.QUESTION)).status()).isEqualTo(201);
    assertThat(api.post("/v1/chat/completions", completion()).status()).isEqualTo(200);
    model.does(ScriptedProvider.status(400, "", "{}"));
    assertThat(api.post(Api.ASK, Api.question(Samples.QUESTION)).status()).isEqualTo(502);
    api.awaitIndex();
    System.gc(); // its pauses are there from the first one on
    Await.until(
        "a pause is counted",
        () -> api.get("/metrics").text().contains("jvm_gc_pause_seconds_sum"));
    api.get("/metrics").text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      Set<String> labels = EXPOSED.computeIfAbsent(sample.group(1), first -> new TreeSet<>());
      Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
      while (label.find()) {
        labels.add(label.group(1));
      }
    });
  }

  private static JsonObject completion() {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Hi")));
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  /** Series that rules make, by the labels they keep. */
  private static Map<String, Set<String>> known() throws IOException {
    Map<String, Set<String>> known = new HashMap<>(EXPOSED);
    SELDOM.forEach(known::putIfAbsent);
    known.put("up", Set.of());
    Operations.rules().stream()
        .filter(rule -> rule.has("record"))
        .forEach(rule -> known.put(
            rule.path("record").asText(),
            Selectors.of(rule.path("expr").asText()).grouped()));
    return known;
  }

  @Test
  @DisplayName("ask for no metric and no label that a gateway in use does not expose")
  void everythingExists() throws IOException {
    Map<String, Set<String>> known = known();
    List<String> missing = new ArrayList<>();
    Operations.expressions().forEach((where, expression) -> {
      Needs needs = Selectors.of(expression);
      assertThat(needs.selectors()).as(where).isNotEmpty();
      Set<String> there = new HashSet<>(SCRAPED);
      needs.selectors().forEach(selector -> {
        Set<String> labels = known.get(selector.metric());
        if (labels == null) {
          missing.add(where + ": " + selector.metric());
          return;
        }
        there.addAll(labels);
        Set<String> wrong = new TreeSet<>(selector.labels());
        wrong.removeAll(labels);
        wrong.removeAll(SCRAPED);
        wrong.forEach(label -> missing.add(where + ": " + selector.metric() + "{" + label + "}"));
      });
      needs.grouped().stream()
          .filter(label -> !there.contains(label))
          .forEach(label -> missing.add(where + ": by " + label));
    });
    assertThat(missing).isEmpty();
  }

  @Test
  @DisplayName("find what this gateway did: an answer, one that failed, a completion")
  void counted() {
    assertThat(node.as(Person.unknown()).get("/metrics").text())
        .contains("ask_requests_total{kind=\"answer\",result=\"first_model\"} 1.0")
        .contains("ask_requests_total{kind=\"answer\",result=\"failed\"} 1.0")
        .contains("ask_requests_total{kind=\"chat\",result=\"first_model\"} 1.0")
        .contains(
            "ask_profile_requests_total{profile=\"assistant_grounded\",result=\"failed\"} 1.0")
        .contains("ask_settled_micro_usd_total{kind=\"answer\"} 180.0");
  }
}
