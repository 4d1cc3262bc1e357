package dev.askgateway.evals.scale;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code -Devals.suite=scale}: the measures of this package, see {@code evals/README.md}. */
public final class Scale {
  private Scale() {}

  /** Builds what is not there, measures, and writes a table and JSON. */
  public static void run(Path results) throws Exception {
    int messages = Integer.getInteger("scale.messages", 100_000);
    World world = new World(messages, Integer.getInteger("scale.people", 2_000));
    try (ScaleData data = ScaleData.open(folder(results, messages), world)) {
      ScaleRun run = new ScaleRun(world, data, Integer.getInteger("scale.questions", 200));
      JsonObject measured = run.run().put("messages", messages);
      run.close();
      Files.createDirectories(results);
      Files.writeString(results.resolve("scale-" + messages + ".json"), measured.encodePrettily());
    }
  }

  /** Where the data of so many messages are kept: under {@code scale.folder}, else among the results. */
  public static Path folder(Path results, int messages) {
    return Path.of(
        System.getProperty("scale.folder", results.resolve("scale-data").toString()),
        String.valueOf(messages));
  }
}
