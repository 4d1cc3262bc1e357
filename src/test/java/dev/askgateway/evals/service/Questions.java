package dev.askgateway.evals.service;

import dev.askgateway.evals.scale.Asked;
import dev.askgateway.evals.scale.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Questions of people about messages that are there: of any of them alike, and of the largest alone. */
final class Questions {
  private static final int PEOPLE = 400;
  private static final int EACH = 80;
  /** The one with a fifth of all messages, and the next twenty. */
  private static final int LARGE = 21;

  private static final int EACH_LARGE = 50;

  private final List<Askers.Question> all = new ArrayList<>();
  private final List<Askers.Question> large = new ArrayList<>();
  private int taken;

  Questions(World world) {
    Random random = new Random(11);
    List<Integer> people =
        new ArrayList<>(IntStream.range(0, world.people()).boxed().toList());
    Collections.shuffle(people, random);
    people.subList(0, PEOPLE).forEach(number -> ask(world, number, EACH, all, random));
    IntStream.range(0, LARGE).forEach(number -> ask(world, number, EACH_LARGE, large, random));
    Collections.shuffle(all, random);
    Collections.shuffle(large, random);
  }

  private static void ask(
      World world, int number, int each, List<Askers.Question> into, Random random) {
    World.Person person = world.person(number);
    String token = MeasuredGateway.token(person.id());
    // Every third of them has none but common words, and may rightly find nothing: no model is
    // asked then.
    Asked.about(world, person, Asked.Kind.GLOBAL, each * 3 / 2, random).stream()
        .filter(Asked::named)
        .limit(each)
        .forEach(asked -> into.add(new Askers.Question(token, asked.text())));
  }

  /** The next so many of anybody's, which have not been asked before. */
  List<Askers.Question> next(int count) {
    if (taken + count > all.size()) {
      throw new IllegalStateException(
          "there are only " + all.size() + " questions: fewer parts, or fewer seconds");
    }
    taken += count;
    return all.subList(taken - count, taken);
  }

  /** Those of the largest. */
  List<Askers.Question> ofTheLargest() {
    return large;
  }
}
