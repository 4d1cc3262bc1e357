package dev.askgateway.evals;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.query.QueryCompiler;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs the query compiler over a set of date expressions with their resolutions (the English
 * specifications of Recognizers-Text, one JSON object a line) and prints how many it reads right.
 *
 * <p>Run: {@code java -Devals.dates=expressions.jsonl dev.askgateway.evals.DateEval}. With {@code
 * -Devals.verbose=true} every wrong one is printed. {@link DateCases} says what is left out and {@link
 * DateJudge} what is right.
 */
public final class DateEval {
  private static final ZoneId ZONE = ZoneOffset.UTC;

  private record Row(String id, String input, LocalDateTime at, JsonArray results) {}

  private DateEval() {}

  /** Prints the counts and the tables. */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(System.getProperty("evals.dates"));
    List<Row> rows = new ArrayList<>();
    Map<String, List<JsonArray>> same = new HashMap<>();
    for (String line : Files.readAllLines(path)) {
      JsonObject json = new JsonObject(line);
      Row row = new Row(
          json.getString("id"),
          json.getString("input"),
          LocalDateTime.parse(json.getString("ref")),
          json.getJsonArray("results"));
      rows.add(row);
      same.computeIfAbsent(row.input() + row.at(), key -> new ArrayList<>()).add(row.results());
    }
    new Count(Boolean.getBoolean("evals.verbose")).of(rows, same);
  }

  private record Count(boolean verbose) {

    void of(List<Row> rows, Map<String, List<JsonArray>> same) {
      QueryCompiler compiler = new QueryCompiler();
      Map<String, Integer> left = new TreeMap<>();
      Map<String, Integer> asked = new TreeMap<>();
      Map<String, Integer> wrong = new TreeMap<>();
      Map<String, Integer> right = new TreeMap<>();
      for (Row row : rows) {
        String out = DateCases.leftOut(row.id(), row.input(), row.results());
        if (out != null) {
          left.merge(out, 1, Integer::sum);
          continue;
        }
        QueryPlan plan = compiler.compile(row.input(), row.at().toInstant(ZoneOffset.UTC), ZONE);
        TimeRange range = plan.timeRange();
        String kind = DateCases.kind(row.results());
        asked.merge(kind, 1, Integer::sum);
        // The set states some inputs twice, by two of its modes: either is right.
        DateJudge judge = new DateJudge(row.input(), row.at());
        String how = same.get(row.input() + row.at()).stream()
            .map(results -> judge.right(results, range))
            .filter(found -> !found.isEmpty())
            .sorted()
            .findFirst()
            .orElse("");
        if (how.isEmpty()) {
          wrong.merge(kind, 1, Integer::sum);
          print(row, range);
        } else {
          right.merge(how, 1, Integer::sum);
        }
      }
      summary(rows.size(), left, asked, right, wrong);
    }

    private void print(Row row, TimeRange range) {
      if (verbose) {
        System.out.println("WRONG " + row.id() + " @" + row.at() + " | " + row.input() + "\n   got "
            + (range == null ? "no time" : range.start() + " .. " + range.end()) + "\n   set "
            + DateCases.shown(row.results()));
      }
    }

    private static void summary(
        int total,
        Map<String, Integer> left,
        Map<String, Integer> asked,
        Map<String, Integer> right,
        Map<String, Integer> wrong) {
      int of = sum(asked);
      System.out.printf("expressions %d, left out %d, asked %d%n", total, sum(left), of);
      System.out.printf("right %d of %d (%.1f %%)%n", sum(right), of, 100.0 * sum(right) / of);
      System.out.println("left out, by kind: " + left);
      System.out.println("right, by how: " + right);
      System.out.printf("%-24s %6s %6s%n", "kind", "asked", "wrong");
      asked.forEach((kind, count) ->
          System.out.printf("%-24s %6d %6d%n", kind, count, wrong.getOrDefault(kind, 0)));
    }

    private static int sum(Map<String, Integer> counts) {
      return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
