package dev.askgateway.evals.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * People of our own making and what they write, the same for the same seed: a fifth of all messages is one
 * person's, the others' accounts fall in size with their rank. People talk in sessions about one topic, in
 * chats of which some see much more than others, more of late than long ago.
 */
public final class World {
  static final Instant NOW = Instant.parse("2026-09-08T12:00:00Z");

  private static final long SEED = 20_260_908;
  private static final double SIZES_FALL = 0.8;
  private static final Duration HISTORY = Duration.ofDays(3 * 365);
  private static final String[] PLATFORMS = {
    "whatsapp", "telegram", "slack", "signal", "discord", "instagram"
  };
  private static final String[] NAMES =
      ("Ana Ben Caro Dev Elif Farah Goran Hana Ivo Jun Kofi Lena Mira Nils Olga Pavel Quinn Rosa Samir Tara Uma"
              + " Viktor Wanda Ximena Yusuf Zoe Amir Bea Cleo Dina Emil Freya Gus Heidi Igor Jana Karim Lukas Maya"
              + " Noor Oskar Petra Rafael Sofia Theo Ursula Vera Willem Yara Zane")
          .split(" ");

  final Words words = new Words(SEED);
  final Meaning meaning = new Meaning(SEED);
  private final int[] sizes;

  /** A chat and who is in it besides the person. */
  public record Chat(
      UUID id, String platform, String key, boolean group, boolean off, List<Contact> members) {
    String name() {
      return group ? "Group " + key : members.get(0).name();
    }
  }

  public record Contact(UUID id, String key, String name) {}

  /** @param sender null for the person's own */
  public record Line(
      UUID id, Chat chat, Instant at, @Nullable Contact sender, String text, int topic, long seed) {
    /** One of a hundred was taken back. */
    boolean deleted() {
      return Math.floorMod(seed, 100) == 0;
    }
  }

  /** @param lines in the order of their times */
  public record Person(String id, List<Chat> chats, List<Line> lines) {}

  /** @param messages of all people together, about */
  public World(int messages, int people) {
    sizes = new int[people];
    sizes[0] = messages / 5;
    double all = 0;
    for (int i = 1; i < people; i++) {
      all += Math.pow(i, -SIZES_FALL);
    }
    for (int i = 1; i < people; i++) {
      sizes[i] =
          Math.max(5, (int) Math.round((messages - sizes[0]) * Math.pow(i, -SIZES_FALL) / all));
    }
  }

  public int people() {
    return sizes.length;
  }

  int size(int person) {
    return sizes[person];
  }

  static String id(int person) {
    return "scale-" + person;
  }

  /** Makes one of the people, always the same for a number; 0 has a fifth of all messages. */
  public Person person(int number) {
    Random random = new Random(SEED * 31 + number);
    List<Chat> chats = chats(number, random);
    int topics = 30 + sizes[number] / 500;
    int[] known = random.ints(topics, 0, Meaning.TOPICS).toArray();
    List<Line> lines = new ArrayList<>(sizes[number]);
    while (lines.size() < sizes[number]) {
      session(
          lines,
          chats.get(skewed(random, chats.size())),
          known[random.nextInt(topics)],
          Math.min(sizes[number] - lines.size(), 3 + random.nextInt(25)),
          random);
    }
    lines.sort(Comparator.comparing(Line::at));
    return new Person(id(number), chats, lines);
  }

  private List<Chat> chats(int number, Random random) {
    List<Chat> chats = new ArrayList<>();
    int count = Math.max(3, Math.min(80, (int) Math.sqrt(sizes[number]) / 2));
    for (int i = 0; i < count; i++) {
      boolean group = random.nextInt(4) == 0;
      List<Contact> members = new ArrayList<>();
      for (int j = group ? 3 + random.nextInt(8) : 1; j > 0; j--) {
        members.add(
            new Contact(uuid(random), "c" + i + "-" + j, NAMES[random.nextInt(NAMES.length)]));
      }
      chats.add(new Chat(
          uuid(random),
          PLATFORMS[random.nextInt(PLATFORMS.length)],
          "chat-" + i,
          group,
          i > 2 && random.nextInt(20) == 0,
          members));
    }
    return chats;
  }

  private void session(List<Line> lines, Chat chat, int topic, int count, Random random) {
    double age = Math.pow(random.nextDouble(), 1.5);
    Instant at = NOW.minusSeconds((long) (age * HISTORY.toSeconds()) + count * 180L);
    for (int i = 0; i < count; i++) {
      at = at.plusSeconds(10 + random.nextInt(160));
      Contact sender = random.nextInt(5) < 2
          ? null
          : chat.members().get(random.nextInt(chat.members().size()));
      lines.add(
          new Line(uuid(random), chat, at, sender, text(topic, random), topic, random.nextLong()));
    }
  }

  private String text(int topic, Random random) {
    int length =
        Math.max(1, Math.min(80, (int) Math.round(Math.exp(2.1 + 0.7 * random.nextGaussian()))));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int kind = random.nextInt(100);
      text.append(i == 0 ? "" : " ")
          .append(
              kind < 50
                  ? words.small(random)
                  : kind < 80
                      ? words.any(random)
                      : words.ranked(
                          200 + (topic * 97 + random.nextInt(40) * 449) % (Words.COUNT - 200)));
    }
    return text.toString();
  }

  /** A place in a list, early ones more often. */
  private static int skewed(Random random, int size) {
    return (int) (size * Math.pow(random.nextDouble(), 2.5));
  }

  /** A random UUID as PostgreSQL makes them, of a seed. */
  private static UUID uuid(Random random) {
    return new UUID(
        random.nextLong() & ~0xF000L | 0x4000L,
        random.nextLong() & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L);
  }
}
