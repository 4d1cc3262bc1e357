package dev.askgateway.provider.chaos.fuzz;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Script.Finish;
import dev.askgateway.provider.chaos.Script.Piece;
import dev.askgateway.provider.chaos.Script.Tokens;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.provider.chaos.Wording.Habit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Streams as a vendor sends them, in many variants. */
final class Corpus {
  private static final List<String> WORDS = List.of(
      "Ravi",
      " said: ",
      "né à Zürich",
      "\n\n",
      " \uD83D\uDE00 ",
      "\"quoted\" \\ {x} [S1]",
      "data: no event",
      "\u0000",
      "नमस्ते ",
      "]}",
      "a somewhat longer piece of text, as slow models send it, ",
      "e\u0301");

  /** One stream: what was said, and how. */
  record Recorded(Wording wording, Script script, byte[] bytes) {
    @Override
    public String toString() {
      return wording + " " + script;
    }
  }

  private Corpus() {}

  static Recorded draw(Dialect dialect, Random random) {
    Set<Habit> habits = EnumSet.noneOf(Habit.class);
    for (Habit habit : Habit.values()) {
      if (random.nextInt(4) == 0) {
        habits.add(habit);
      }
    }
    Wording wording = Wording.of(dialect, habits);
    Script script = script(random);
    String said = wording.say(script);
    String text =
        switch (random.nextInt(6)) {
          case 0 -> said.replace("\n", "\r\n");
          case 1 -> said.replace("\n", "\r");
          case 2 -> "\uFEFF" + said;
          case 3 -> said.replaceAll("(?m)^data: ", "data:");
          default -> said;
        };
    return new Recorded(wording, script, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Script script(Random random) {
    List<Piece> pieces = new ArrayList<>();
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      String word = WORDS.get(random.nextInt(WORDS.size()));
      switch (random.nextInt(8)) {
        case 0 -> pieces.add(new Script.Thought(word));
        case 1 -> pieces.add(new Script.Call("call_" + i, "find", arguments(random)));
        default -> pieces.add(new Script.Text(word));
      }
    }
    Finish finish = Finish.values()[random.nextInt(Finish.values().length)];
    Tokens tokens = random.nextInt(5) == 0
        ? null
        : new Tokens(100 + random.nextInt(100), random.nextInt(50), 9 + random.nextInt(50), 3);
    return new Script(pieces, tokens, finish, true);
  }

  private static List<String> arguments(Random random) {
    return random.nextBoolean() ? List.of("{\"who\":", "", "\"Ra", "vi\"}") : List.of("{}");
  }
}
