package dev.askgateway.evals.scale;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * A question about a message that is there.
 *
 * @param answer the message it is about
 * @param named whether it has words of that message; else it has none but the most common
 */
public record Asked(
    UserId user,
    String text,
    float[] vector,
    QueryPlan plan,
    Scope scope,
    UUID answer,
    boolean named) {
  private static final int COMMON = 40;
  private static final int[] DAYS = {1, 7, 30, 365};

  /** Where a question looks. */
  public enum Kind {
    STRICT,
    DATED,
    GLOBAL
  }

  /** Questions over one person's messages; each third of them has only common words. */
  public static List<Asked> about(
      World world, World.Person person, Kind kind, int count, Random random) {
    List<Asked> asked = new ArrayList<>();
    for (int tries = 0; asked.size() < count && tries < 200 * count; tries++) {
      World.Line line = person.lines().get(random.nextInt(person.lines().size()));
      boolean named = asked.size() % 3 != 2;
      Set<String> words = named ? wordsOf(world, line) : common(world, random);
      if (!line.deleted()
          && words.size() >= 2
          && (kind == Kind.STRICT || !line.chat().off())) {
        asked.add(new Asked(
            new UserId(person.id()),
            "did we say " + String.join(" ", words) + " #" + random.nextInt(1_000_000),
            Meaning.question(world.meaning.of(line.topic(), line.seed()), random),
            kind == Kind.DATED
                ? dated(line.at(), DAYS[asked.size() % DAYS.length])
                : QueryPlan.plain(),
            kind == Kind.STRICT ? Scope.strict(line.chat().id()) : Scope.GLOBAL,
            line.id(),
            named));
      }
    }
    return asked;
  }

  /** At most four words of content. */
  private static Set<String> wordsOf(World world, World.Line line) {
    Set<String> words = new LinkedHashSet<>();
    Arrays.stream(line.text().split(" "))
        .filter(word -> !world.words.isSmall(word))
        .limit(4)
        .forEach(words::add);
    return words;
  }

  private static Set<String> common(World world, Random random) {
    Set<String> words = new LinkedHashSet<>();
    while (words.size() < 3) {
      words.add(world.words.ranked(random.nextInt(COMMON)));
    }
    return words;
  }

  private static QueryPlan dated(Instant at, int days) {
    Duration half = Duration.ofHours(12L * days);
    return new QueryPlan(
        QueryPlan.Intent.CONVERSATION_QA,
        new QueryPlan.TimeRange(at.minus(half), at.plus(half), ZoneOffset.UTC),
        true,
        List.of(),
        null,
        List.of(),
        null,
        null);
  }
}
