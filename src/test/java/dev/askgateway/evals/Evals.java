package dev.askgateway.evals;

import dev.askgateway.evals.scale.Scale;
import dev.askgateway.evals.service.Service;
import dev.askgateway.retrieval.RetrievalConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code mvn -q -Pevals}: the golden questions, and with {@code -Devals.data=DIR} the open data sets in
 * that folder. Ends with exit code 1 when a gate of the golden set fails. See {@code evals/README.md}.
 */
public final class Evals {
  private static final Path RESULTS = Path.of("target", "evals");

  private Evals() {}

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT);
    switch (System.getProperty("evals.suite", "")) {
      case "scale" -> {
        Scale.run(RESULTS);
        System.exit(0);
      }
      case "service" -> {
        Service.run(RESULTS);
        System.exit(0);
      }
      default -> {
        // the golden questions and open data, below
      }
    }
    boolean passed = true;
    try (Lab lab = Lab.open(path("evals.cache"), RetrievalConfig.DEFAULT)) {
      GoldenRun golden = new GoldenRun(lab);
      golden.run();
      write("golden", golden.toJson());
      say(golden.table());
      passed = golden.failures().isEmpty();
      Path data = path("evals.data");
      for (String set : data == null ? List.<String>of() : sets()) {
        if (data != null && Files.isDirectory(data.resolve(set))) {
          measure(
              lab,
              DataSet.read(data.resolve(set))
                  .first(Integer.getInteger("evals.first", Integer.MAX_VALUE)));
        }
      }
    }
    System.exit(passed ? 0 : 1);
  }

  private static List<String> sets() {
    return List.of(System.getProperty("evals.sets", "locomo,realmem,qmsum").split(","));
  }

  private static void measure(Lab lab, DataSet data) throws Exception {
    SetRun run = new SetRun(lab, data);
    run.run();
    say("== " + data.name() + run.measures.table());
    say(run.offTopic.table());
    say("%.1f ms a question, its vector kept or not".formatted(run.millis()));
    write(
        data.name(),
        new JsonObject()
            .put("measures", run.measures.toJson())
            .put("floor", run.offTopic.toJson())
            .put("millis", run.millis()));
  }

  private static void write(String name, JsonObject json) throws IOException {
    Files.createDirectories(RESULTS);
    Files.writeString(RESULTS.resolve(name + ".json"), json.encodePrettily());
  }

  private static @Nullable Path path(String property) {
    String value = System.getProperty(property);
    return value == null || value.isBlank() ? null : Path.of(value);
  }

  private static void say(String text) {
    System.out.println(text);
    System.out.flush();
  }
}
