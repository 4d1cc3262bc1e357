package dev.askgateway.provider.chaos.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code -Dfuzz.streams} says how many streams each reader gets, {@code -Dfuzz.seed} where the seeds
 * begin; stream n of a run has seed + n, so that any of them can be read again by itself.
 */
class StreamFuzzTest {
  private static final int STREAMS = Integer.getInteger("fuzz.streams", 3_000);
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_130L);

  /** Read in one turn of the loop. */
  private static final int BATCH = 50;

  /** Looks at the memory during a run. */
  private static final int LOOKS = 5;

  /** What may come and go in the heap whatever we do; a leak of 1 KB a stream is above it. */
  private static final long MOST_GROWTH_BYTES = 48L << 20;

  private static final int MOST_REPORTED = 3;

  private static final List<String> SUMMARY = new ArrayList<>();

  private static Vertx vertx;

  /** This loop is kept busy on purpose, so nobody is to be warned of it. */
  @BeforeAll
  static void build() {
    vertx = Vertx.vertx(new VertxOptions()
        .setMaxEventLoopExecuteTimeUnit(TimeUnit.MINUTES)
        .setMaxEventLoopExecuteTime(10));
  }

  @AfterAll
  static void close() throws IOException {
    Files.writeString(Path.of("target", "fuzz-summary.txt"), String.join("", SUMMARY));
    Wait.on(vertx.close());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Reader.class)
  @DisplayName("whatever comes, a stream ends once, at once, with a known kind of failure or whole")
  void endsOnce(Reader reader) {
    List<String> reports = new ArrayList<>();
    List<Long> heap = new ArrayList<>();
    Map<String, Integer> terminals = new TreeMap<>();
    for (int from = 0; from < STREAMS; from += BATCH) {
      int first = from;
      int last = Math.min(STREAMS, from + BATCH);
      reports.addAll(
          Wait.onLoop(vertx, () -> Future.succeededFuture(read(reader, first, last, terminals))));
      if (reports.size() >= MOST_REPORTED) {
        break;
      }
      if (from / BATCH % Math.max(1, STREAMS / BATCH / LOOKS) == 0) {
        heap.add(usedBytes());
      }
    }
    assertThat(reports).as("seed %d", SEED).isEmpty();
    // The first look comes when everything is loaded and warm.
    long growth = heap.get(heap.size() - 1) - heap.get(0);
    SUMMARY.add(String.format(
        "%s: %d streams from seed %d; terminals %s; heap grew by %d KB at the end, at the most by %d KB%n",
        reader, STREAMS, SEED, terminals, growth >> 10, Collections.max(heap) - heap.get(0) >> 10));
    assertThat(terminals.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(STREAMS);
    assertThat(growth).isLessThan(MOST_GROWTH_BYTES);
  }

  private static List<String> read(
      Reader reader, int first, int last, Map<String, Integer> terminals) {
    List<String> reports = new ArrayList<>();
    for (int i = first; i < last && reports.size() < MOST_REPORTED; i++) {
      Specimen specimen = Specimen.of(reader, SEED + i);
      List<String> complaints =
          specimen.complaints(terminal -> terminals.merge(terminal, 1, Integer::sum));
      if (!complaints.isEmpty()) {
        reports.add(specimen.report(complaints));
      }
    }
    return reports;
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
