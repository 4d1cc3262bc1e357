package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A length that is counted: "2 days", "1 month and 21 days", "half an hour".
 *
 * @param end the token after it
 */
record Lengths(int end, List<Part> parts) {

  record Part(int count, Grain grain) {}

  private static final Set<String> JOINTS = Set.of("and", ",", "y");

  static @Nullable Lengths at(Tokens t, int i) {
    int half = t.afterAny(i, List.of("half an hour", "media hora"));
    if (half > 0) {
      return new Lengths(half, List.of(new Part(30, Grain.MINUTE)));
    }
    List<Part> parts = new ArrayList<>();
    int end = i;
    int at = i;
    while (parts.size() < 6) {
      Num count = Numbers.cardinal(t, at);
      Grain unit = count == null ? null : Vocabulary.unit(t, count.end());
      if (count == null || unit == null) {
        break;
      }
      parts.add(new Part(count.value(), unit));
      end = count.end() + 1;
      at = t.skip(end, JOINTS);
    }
    return parts.isEmpty() ? null : new Lengths(end, parts);
  }

  boolean ofClock() {
    return parts.stream().anyMatch(part -> part.grain().isOfClock());
  }

  /** The longest unit it is told in: how exact the speaker is. */
  Grain coarsest() {
    return parts.size() > 1 ? Grain.DAY : parts.get(0).grain();
  }

  boolean isNothing() {
    return parts.stream().allMatch(part -> part.count() == 0);
  }

  /** The moment so much away; months and years day for day. */
  LocalDateTime from(LocalDateTime moment, int sign) {
    LocalDateTime moved = moment;
    for (Part part : parts) {
      long count = (long) sign * part.count();
      moved = switch (part.grain()) {
        case MINUTE -> moved.plusMinutes(count);
        case HOUR -> moved.plusHours(count);
        default -> moved.toLocalTime().atDate(part.grain().plus(moved.toLocalDate(), count));
      };
    }
    return moved;
  }

  /** Its real time when it is told in units that always last as long; null with months or years in it. */
  @Nullable
  Duration exact() {
    Duration sum = Duration.ZERO;
    for (Part part : parts) {
      switch (part.grain()) {
        case MINUTE -> sum = sum.plusMinutes(part.count());
        case HOUR -> sum = sum.plusHours(part.count());
        case DAY -> sum = sum.plusDays(part.count());
        case WEEK -> sum = sum.plusDays(7L * part.count());
        case FORTNIGHT -> sum = sum.plusDays(14L * part.count());
        default -> {
          return null;
        }
      }
    }
    return sum;
  }
}
