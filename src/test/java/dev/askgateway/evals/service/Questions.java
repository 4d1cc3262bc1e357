package dev.askgateway.evals.service;

import dev.askgateway.evals.scale.Asked;
import dev.askgateway.evals.scale.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Questions of people about messages that are there: of the one with a fifth of all messages, of the next
 * largest, and of any, each person as often as the others.
 */
final class Questions {
  private static final int PEOPLE = 400;
  private static final int LARGE = 20;
  private static final int EACH = 40;

  private final List<Askers.Question> all = new ArrayList<>();
  private int taken;

  Questions(World world) {
    Random random = new Random(11);
    for (int i = 0; i < PEOPLE; i++) {
      int number = i <= LARGE ? i : LARGE + 1 + random.nextInt(world.people() - LARGE - 1);
      World.Person person = world.person(number);
      String token = MeasuredGateway.token(person.id());
      // Every third of them has none but common words, and may rightly find nothing: no model is
      // asked then.
      Asked.about(world, person, Asked.Kind.GLOBAL, EACH * 3 / 2, random).stream()
          .filter(Asked::named)
          .limit(EACH)
          .forEach(asked -> all.add(new Askers.Question(token, asked.text())));
    }
    Collections.shuffle(all, random);
  }

  /** The next so many, which nobody has asked before as long as there are such; then from the first again. */
  List<Askers.Question> next(int count) {
    List<Askers.Question> some = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      some.add(all.get(Math.floorMod(taken++, all.size())));
    }
    return some;
  }
}
