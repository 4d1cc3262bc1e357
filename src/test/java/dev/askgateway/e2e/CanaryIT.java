package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.byok.OwnServers;
import dev.askgateway.telemetry.trace.Collector;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Every planted text holds these letters, so that a part of it is found too. */
@DisplayName("What is planted in every place that holds somebody's text or key")
class CanaryIT {
  private static final String PLANTED = "qz";
  private static final String OWN_KEY = "sk-qzown-abcdefgh1234";
  /** Not secret, but whatever the person writes: logs name it, spans and metrics do not. */
  private static final String OWN_MODEL = "model-of-ones-own";

  private static final String CHAT = "/v1/chat/completions";
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");

  private static final List<Reply> REFUSED = new ArrayList<>();
  private static Level level;
  private static Model model;
  private static OwnServer own;
  private static Collector collector;
  private static Node node;
  private static Api api;
  private static String metrics;
  private static List<String> logs;

  @BeforeAll
  static void plant(@TempDir Path directory) {
    level = ROOT.getLevel();
    ROOT.setLevel(Level.INFO);
    model = new Model();
    own = new OwnServer(directory);
    collector = new Collector();
    node = Node.start(settings());
    api = node.as(Person.unknown());
    api.imports(Samples.booking().put("chatName", "qzchat").put("senderName", "Ana qzsender"));
    answers();
    fails();
    own();
    anything();
    metrics = api.get("/metrics").text();
    logs = node.logs().lines();
    node.close(); // sends the last spans
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = model.settings(
        "ASK_BYOK_ENABLED", "true",
        "ASK_BYOK_KEYS", "k1=" + OwnServers.OLD_KEY,
        "ASK_BYOK_CURRENT_KEY", "k1",
        "ASK_BYOK_CUSTOM_BASE_URLS", "true",
        "ASK_BYOK_ALLOW_PRIVATE_ADDRESSES", "true",
        "OTEL_EXPORTER_OTLP_HEADERS", "x-collector=qzcollector");
    return Traced.to(collector, settings);
  }

  private static void answers() {
    model.says(
        Model.delta("Casa Nopal " + Words.ANSWER + " [S1] [S9]."),
        Model.STOP,
        Model.USAGE,
        Model.DONE);
    assertThat(api.stream(Api.question(Samples.QUESTION)).all().text()).contains(Words.ANSWER);
    assertThat(api.post(CHAT, chat("assistant_grounded")).text()).contains(Words.ANSWER);
  }

  private static JsonObject chat(String name) {
    return new JsonObject("""
        {"model": "%s", "user": "qzuser", "messages": [{"role": "user", "content": [
          {"type": "text", "text": "qzquestion"},
          {"type": "file", "file": {"filename": "qzfile.pdf", "file_data": "data:application/pdf;base64,cXo="}}
        ]}]}""".formatted(name));
  }

  /** The provider quotes all it was told. */
  private static void fails() {
    String quoted = "{\"error\": {\"message\": \"qzerror " + Words.API_KEY + " " + Words.MESSAGE
        + "\", \"type\": \"qz type\", \"code\": \"qz code\"}}";
    model.does(ScriptedProvider.status(500, "x-request-id: qzupstream\r\n", quoted));
    REFUSED.add(api.post(Api.ASK, Api.question(Samples.QUESTION)));
    REFUSED.add(api.post(CHAT, chat("assistant_grounded")));
    model.says("data: {\"" + Words.ANSWER + "\": not json " + Words.API_KEY + "\n\n");
    REFUSED.add(api.post(CHAT, chat("assistant_grounded")));
  }

  /** Key, server and model of the person's own. */
  private static void own() {
    Reply made = api.post(
        "/ai/connections",
        new JsonObject()
            .put("providerType", "openai")
            .put("baseUrl", own.baseUrl() + "/qzpath")
            .put("secret", OWN_KEY));
    String name = "own/" + made.data().getString("id") + "/" + OWN_MODEL;
    own.says(Words.ANSWER);
    assertThat(api.post(CHAT, chat(name)).text()).contains(Words.ANSWER);
    own.does(ScriptedProvider.status(401, "", "{\"error\": {\"message\": \"" + OWN_KEY + "\"}}"));
    Reply refused = api.post(CHAT, chat(name));
    assertThat(refused.status()).isEqualTo(502);
    REFUSED.add(refused);
  }

  /** Whatever else a client can write. */
  private static void anything() {
    Api.send(api.request("/v1/qzpath?key=qzquery").GET());
    Api.send(api.request("/ai/qzpath?token=qzquery").method("QZMETHOD", BodyPublishers.noBody()));
    api.post(CHAT, chat("qzname"));
    api.post(Api.ASK, Api.question(Samples.QUESTION).put("profile", "qzprofile"));
    Api.send(api.request("/v1/models/qzmodel")
        .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        .header("tracestate", "qzvendor=qzstate")
        .header("baggage", "qzname=qzvalue")
        .GET());
  }

  @AfterAll
  static void stop() {
    ROOT.setLevel(level);
    collector.close();
    own.close();
    model.close();
  }

  @Test
  @DisplayName("is in no span")
  void spans() {
    assertThat(collector.spans())
        .extracting(span -> span.name())
        .contains("assistant.request", "completion.request", "model.fallback", "GET /v1/*");
    assertThat(collector.everything())
        .doesNotContain(
            PLANTED, OWN_MODEL, "Casa Nopal", api.person().id(), api.person().token());
  }

  @Test
  @DisplayName("is in no metric")
  void metrics() {
    assertThat(metrics)
        .contains("ask_spans_sent_total")
        .doesNotContain(
            PLANTED, OWN_MODEL, "Casa Nopal", api.person().id(), api.person().token());
  }

  @Test
  @DisplayName("is in no line of the log")
  void logs() {
    assertThat(logs).anyMatch(line -> line.startsWith("model call failed"));
    assertThat(String.join("\n", logs))
        .doesNotContain(PLANTED, "Casa Nopal", api.person().token());
  }

  @Test
  @DisplayName("is in no error, beside the question that its reader had asked")
  void errors() {
    assertThat(REFUSED).hasSize(4).allSatisfy(reply -> {
      assertThat(reply.status()).isBetween(500, 599);
      assertThat(reply.text().replace(Samples.QUESTION, "")).doesNotContain(PLANTED, "Casa Nopal");
    });
  }
}
