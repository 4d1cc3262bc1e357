package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.askgateway.core.UserId;
import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.Rollout;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The draw of who is in a rollout")
class DrawTest {
  private static final UUID RUN = new UUID(17, 4711);
  private static final UUID OTHER = new UUID(18, 4711);

  private final List<UserId> people = new Random(7)
      .longs(20_000)
      .mapToObj(number -> new UserId("person-" + number))
      .toList();

  private static Rollout rollout(UUID run, int share, String... listed) {
    return new Rollout(
        1,
        run,
        "next",
        Rollout.Kind.PROFILE,
        Rollout.State.RUNNING,
        "a",
        "b",
        share,
        Set.of(listed),
        null,
        OffsetDateTime.of(2026, 12, 1, 0, 0, 0, 0, ZoneOffset.UTC));
  }

  private static boolean isIn(UUID run, int share, UserId user) {
    return Draw.of(rollout(run, share), user) == Place.CANDIDATE;
  }

  @Test
  @DisplayName("leaves whoever is in a share in every larger one")
  void monotone() {
    for (UserId user : people.subList(0, 500)) {
      int first = IntStream.rangeClosed(0, 100)
          .filter(share -> isIn(RUN, share, user))
          .findFirst()
          .orElseThrow();
      assertThat(IntStream.rangeClosed(first, 100)).allMatch(share -> isIn(RUN, share, user));
    }
  }

  @Test
  @DisplayName("gives a share of so many accounts, nobody at 0 and everybody at 100")
  void size() {
    assertThat(people).noneMatch(user -> isIn(RUN, 0, user));
    assertThat(people).allMatch(user -> isIn(RUN, 100, user));
    for (int share : new int[] {1, 5, 25, 50}) {
      double in = people.stream().filter(user -> isIn(RUN, share, user)).count();
      assertThat(100 * in / people.size()).isCloseTo(share, within(1.0));
    }
  }

  @Test
  @DisplayName("is another one in another rollout")
  void independent() {
    double both = people.stream()
        .filter(user -> isIn(RUN, 25, user) && isIn(OTHER, 25, user))
        .count();
    assertThat(100 * both / people.size()).isCloseTo(6.25, within(0.7));
  }

  @Test
  @DisplayName("is the same on every node, whatever it runs on")
  void fixed() {
    assertThat(Draw.place(RUN, new UserId("ana"))).isEqualTo(6296);
    assertThat(Draw.place(RUN, new UserId("señor 日本"))).isEqualTo(5051);
  }

  @Test
  @DisplayName("is not asked about who is listed")
  void listed() {
    assertThat(Draw.of(rollout(RUN, 0, "ana"), new UserId("ana"))).isEqualTo(Place.LISTED);
    assertThat(Draw.of(rollout(RUN, 100, "ana"), new UserId("ana"))).isEqualTo(Place.LISTED);
    assertThat(Draw.of(rollout(RUN, 0, "ana"), new UserId("ben"))).isEqualTo(Place.CONTROL);
  }
}
