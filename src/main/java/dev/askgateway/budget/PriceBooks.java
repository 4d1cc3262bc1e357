package dev.askgateway.budget;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All books that are known, and which of them is in force. A request takes the one in force when it
 * begins and keeps it to its settlement, whatever is loaded meanwhile. Shared by all event loops.
 */
public final class PriceBooks {
  private final PriceBook configured;
  private final Clock clock;
  private volatile Known known;

  /** @param inOrder as they were loaded, the oldest first */
  private record Known(List<PriceBook> inOrder, Map<String, PriceBook> byVersion) {}

  /** @param configured the one of the configuration, the only one until others are read */
  public PriceBooks(PriceBook configured, Clock clock) {
    this.configured = configured;
    this.clock = clock;
    this.known = known(List.of(configured));
  }

  /** One book that is always in force. */
  public static PriceBooks of(PriceBook only) {
    return new PriceBooks(only, Clock.systemUTC());
  }

  /** The book of the configuration. */
  public PriceBook configured() {
    return configured;
  }

  /**
   * The book in force now: of those whose first day has come in UTC the one with the latest, among
   * equals the one that was loaded last. Before the first day of all of them the configured one: no
   * day is free by mistake.
   */
  public PriceBook current() {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    PriceBook latest = latest(known.inOrder(), today);
    return latest == null ? configured : latest;
  }

  private static @Nullable PriceBook latest(List<PriceBook> inOrder, LocalDate today) {
    PriceBook latest = null;
    for (PriceBook book : inOrder) {
      boolean begun = !book.validFrom().isAfter(today);
      if (begun && (latest == null || !book.validFrom().isBefore(latest.validFrom()))) {
        latest = book;
      }
    }
    return latest;
  }

  /** The book that a row names. */
  public Optional<PriceBook> find(String version) {
    return Optional.ofNullable(known.byVersion().get(version));
  }

  /** Takes the books as they were loaded, the oldest first, in the place of those known before. */
  public void replace(List<PriceBook> inOrder) {
    known = known(inOrder);
  }

  private Known known(List<PriceBook> inOrder) {
    Map<String, PriceBook> byVersion = new HashMap<>();
    byVersion.put(configured.version(), configured);
    inOrder.forEach(book -> byVersion.put(book.version(), book));
    return new Known(List.copyOf(inOrder), Map.copyOf(byVersion));
  }
}
