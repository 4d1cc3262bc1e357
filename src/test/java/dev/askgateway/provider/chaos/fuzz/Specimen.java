package dev.askgateway.provider.chaos.fuzz;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Script.Tokens;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** One damaged stream, all of it drawn from one seed, and what must be true of its reading. */
final class Specimen {
  /** Byte by byte is the slowest to read, so it comes less often. */
  private static final List<Integer> MOST_CHUNK =
      List.of(1, 10, 50, 200, 200, 1_000, 1_000, 4_000, 4_000, 100_000, 100_000, 100_000);

  private final Reader reader;
  private final long seed;
  private final Corpus.Recorded recorded;
  private final Mutation mutation;
  private final byte[] bytes;
  private final List<Buffer> chunks;
  private final Source.Ending ending;
  private final Reading.Pace pace;
  private final Plan.Commit commit;

  private Specimen(Reader reader, long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.reader = reader;
    this.seed = seed;
    this.recorded = Corpus.draw(reader.dialect(), random);
    this.mutation = new Mutation(random, Corpus.draw(reader.dialect(), random).bytes());
    this.bytes = mutation.apply(recorded.bytes(), random.nextInt(5));
    this.chunks = chunks(bytes, random);
    this.ending = random.nextInt(5) == 0 ? Source.Ending.BROKEN : Source.Ending.CLEAN;
    this.pace = Reading.Pace.values()[random.nextInt(Reading.Pace.values().length)];
    this.commit = Plan.Commit.values()[random.nextInt(Plan.Commit.values().length)];
  }

  static Specimen of(Reader reader, long seed) {
    return new Specimen(reader, seed);
  }

  private static List<Buffer> chunks(byte[] bytes, Random random) {
    int most = MOST_CHUNK.get(random.nextInt(MOST_CHUNK.size()));
    List<Buffer> chunks = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(most));
      chunks.add(Buffer.buffer(Arrays.copyOfRange(bytes, from, to)));
      from = to;
    }
    return chunks;
  }

  /**
   * What is wrong with how it was read; nothing, if all is well.
   *
   * @param terminals told how it ended
   */
  List<String> complaints(Consumer<String> terminals) {
    Reading reading = Reading.of(reader.fresh(), commit, chunks, ending, pace);
    terminals.accept(reading.terminal());
    List<String> complaints = new ArrayList<>(reading.complaints());
    String said = recorded.script().text();
    if (reader.plain() && mutation.onlyCut() && !said.startsWith(reading.text())) {
      complaints.add("\"" + reading.text() + "\" is no beginning of \"" + said + "\"");
    }
    if (mutation.onlyCut() && reading.counted() != reading.text().length()) {
      complaints.add(reading.counted() + " characters told of \"" + reading.text() + "\"");
    }
    if (mutation.told().isEmpty() && !reading.left() && !mayBeCut()) {
      whole(reading, said, complaints);
    }
    return complaints;
  }

  /** An answer of nothing whose connection breaks: who knows whether more was to come. */
  private boolean mayBeCut() {
    return ending == Source.Ending.BROKEN
        && recorded.script().pieces().stream().allMatch(Script.Thought.class::isInstance);
  }

  /** An undamaged stream is read as it was meant, however it was cut and wherever it broke off. */
  private void whole(Reading reading, String said, List<String> complaints) {
    if (reading.failure() != null) {
      complaints.add("undamaged, yet " + reading.failure().getCause());
      return;
    }
    if (reader.plain() && !reading.text().equals(said)) {
      complaints.add("\"" + reading.text() + "\" instead of \"" + said + "\"");
    }
    if (reading.reasons().size() != 1) {
      complaints.add("reasons " + reading.reasons());
    }
    Tokens tokens = recorded.script().tokens();
    Usage usage = reading.usage();
    if (tokens != null && (usage == null || !matches(usage, tokens))) {
      complaints.add(usage + " instead of " + tokens);
    }
  }

  private static boolean matches(Usage usage, Tokens tokens) {
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    return input == tokens.input()
        && usage.cacheReadTokens() == tokens.cached()
        && usage.outputTokens() == tokens.output();
  }

  /** All that is needed to see it again. */
  String report(List<String> complaints) {
    byte[] fewest = alsoFails(bytes) ? Smallest.of(bytes, this::alsoFails) : bytes;
    return String.join("\n  ", complaints) + "\n  by -Dfuzz.seed=" + seed
        + " -Dfuzz.streams=1, reader " + reader + ", read " + pace + ", committed by " + commit
        + ", ended " + ending + "\n  "
        + recorded + "\n  damage: " + mutation.told() + "\n  chunks of "
        + chunks.stream().map(Buffer::length).limit(50).toList() + "\n  as few bytes as "
        + shown(fewest);
  }

  private boolean alsoFails(byte[] fewer) {
    return !Reading.of(reader.fresh(), commit, List.of(Buffer.buffer(fewer)), ending, pace)
        .complaints()
        .isEmpty();
  }

  private static String shown(byte[] bytes) {
    StringBuilder shown = new StringBuilder("\"");
    for (char c : new String(bytes, StandardCharsets.ISO_8859_1).toCharArray()) {
      boolean plain = c >= ' ' && c < 0x7F;
      shown.append(plain ? String.valueOf(c) : String.format("\\x%02x", (int) c));
    }
    return shown.append('"').substring(0, Math.min(shown.length(), 3_000));
  }
}
