package dev.askgateway.evals.service;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.devservices.DevServicesOptions;
import dev.askgateway.evals.scale.Scale;
import dev.askgateway.evals.scale.ScaleData;
import dev.askgateway.evals.scale.World;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code -Devals.suite=service}: the measures of this package, see {@code evals/README.md}. */
public final class Service {
  private static final String PARTS = "asks,overload,streams,drain";
  private static final Duration WARM = Duration.ofSeconds(Integer.getInteger("service.warm", 120));

  private Service() {}

  /** Builds what is not there, starts a gateway on it, measures, and writes JSON. */
  public static void run(Path results) throws Exception {
    int messages = Integer.getInteger("scale.messages", 1_000_000);
    World world = new World(messages, Integer.getInteger("scale.people", 2_000));
    Files.createDirectories(results);
    JsonObject measured = new JsonObject().put("messages", messages);
    try (ScaleData data = ScaleData.durable(Scale.folder(results, messages), world);
        DevServices services =
            DevServices.start(DevServicesOptions.fromEnvironment().closedByCaller(), line -> {});
        PacedModel model = PacedModel.listen();
        MeasuredGateway gateway =
            new MeasuredGateway(settings(data, services, model), results.resolve("service.log"))) {
      Questions questions = new Questions(world);
      warm(gateway, questions);
      for (String part : System.getProperty("service.parts", PARTS).split(",")) {
        Report report = new Report(part);
        try (Askers askers = new Askers(gateway.port())) {
          Bench bench = new Bench(gateway, model, askers, questions, data, report);
          switch (part) {
            case "asks" -> new Asks(bench).run();
            case "overload" -> new Overload(bench).run();
            case "streams" -> new OpenStreams(bench).run();
            case "drain" -> new Drain(bench).run();
            case "soak" -> new Soak(bench).run();
            default -> throw new IllegalArgumentException("no part is called " + part);
          }
        }
        measured.put(part, report.rows());
      }
    }
    Files.writeString(results.resolve("service.json"), measured.encodePrettily());
  }

  /** Until Java has compiled what it will, which takes a share of the machine for minutes. */
  private static void warm(MeasuredGateway gateway, Questions questions) throws Exception {
    List<Askers.Question> some = questions.next(2_000);
    try (Askers askers = new Askers(gateway.port())) {
      askers.busy(8, WARM, number -> some.get(number % some.size()));
    }
  }

  private static Map<String, String> settings(
      ScaleData data, DevServices services, PacedModel model) {
    Map<String, String> settings = new HashMap<>(model.environment());
    settings.put("DATABASE_URL", data.url());
    settings.put("DATABASE_MIGRATION_URL", data.url());
    settings.put("REDIS_URL", services.redisUrl());
    settings.put("ASK_RETRIEVAL_QUERY_CACHE_TTL", "1h");
    settings.put("ASK_HTTP_DRAIN_GRACE", "0s"); // no balancer has to find out
    // The floors of the model say nothing of vectors that it did not make.
    settings.put("ASK_RETRIEVAL_COSINE_FLOORS", ScaleData.PROFILE + "=-1");
    settings.put("ASK_RETRIEVAL_EVIDENCE_FLOORS", ScaleData.PROFILE + "=-1");
    // 400 people stand for many more: what one of them may ask must not be what limits.
    settings.put("ASK_LIMITS_ASK_PER_MINUTE", "0");
    settings.put("ASK_LIMITS_ASK_CONCURRENT", "0");
    // Held answers are silent for longer than any model should be.
    settings.put("ASK_PROFILES_ASSISTANT_GROUNDED_STALL", "10m");
    settings.put("ASK_PROFILES_ASSISTANT_GROUNDED_TOTAL", "10m");
    settings.put("ASK_HTTP_IDLE_TIMEOUT", "11m");
    settings.put("ASK_REDIS_TURN_LOG_TTL", "12m");
    return settings;
  }

  /** What every part has. */
  record Bench(
      MeasuredGateway gateway,
      PacedModel model,
      Askers askers,
      Questions questions,
      ScaleData data,
      Report report) {

    /** Answers that are no answers, by what is wrong with them; those who left are none. */
    void failures(List<Told> all) {
      Map<String, Integer> failures = new HashMap<>();
      all.stream()
          .filter(told -> !told.isWhole() && !told.left && !told.isTurnedAway())
          .map(told -> told.error.isEmpty()
              ? told.status + " " + told.state + " of " + told.sources + " sources"
              : told.error)
          .forEach(what -> failures.merge(what, 1, Integer::sum));
      report.say("  failed " + failures);
    }
  }
}
