package dev.askgateway.cli;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.stream.Collectors;

/** Prints the versions of the index: counts and codes, never a text or a person. */
final class IndexReport {
  private final PrintWriter out;

  IndexReport(PrintWriter out) {
    this.out = out;
  }

  /** @param report as {@link dev.askgateway.store.VersionCommands#report} gives it */
  void print(JsonObject report) {
    long messages = report.getLong("messages");
    out.println("messages to index " + messages + ", nodes that index " + report.getLong("nodes"));
    report.getJsonArray("versions").forEach(one -> print((JsonObject) one, messages));
  }

  private void print(JsonObject version, long messages) {
    out.println(version.getString("state") + "  " + version.getString("profile") + " "
        + version.getInteger("version") + "  " + version.getString("model") + "  "
        + version.getInteger("dimensions") + " numbers  since " + version.getString("since"));
    out.println("  vectors " + version.getLong("vectors") + " of " + messages + "  waiting "
        + version.getLong("waiting") + "  parked " + parked(version.getJsonObject("parked"))
        + "  persons left " + version.getLong("persons") + " (not listed yet "
        + version.getLong("unlisted") + ", failing " + version.getLong("failing")
        + ")  nodes without the model " + version.getLong("nodesWithout"));
  }

  private static String parked(JsonObject codes) {
    long all =
        codes.stream().mapToLong(code -> ((Number) code.getValue()).longValue()).sum();
    String each = codes.stream()
        .map(code -> code.getKey() + " " + code.getValue())
        .sorted()
        .collect(Collectors.joining(", "));
    return all == 0 ? "0" : all + " (" + each + ")";
  }
}
