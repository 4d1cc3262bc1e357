package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The book in force")
class PriceBooksTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-30T12:00:00Z"));

  private final PriceBook first = book("list", "2026-01-01");
  private final PriceBook next = book("list", "2026-12-01");

  private static PriceBook book(String id, String day) {
    return new PriceBook(id, LocalDate.parse(day), Map.of());
  }

  private PriceBooks books(PriceBook configured, ZoneId zone) {
    InstantSource source = now::get;
    return new PriceBooks(configured, source.withZone(zone));
  }

  @Test
  @DisplayName("changes at midnight UTC, wherever the clock is")
  void midnight() {
    for (String zone : List.of("UTC", "Pacific/Auckland", "America/Los_Angeles")) {
      PriceBooks books = books(first, ZoneId.of(zone));
      books.replace(List.of(next, first));
      now.set(Instant.parse("2026-11-30T23:59:59.999Z"));
      assertThat(books.current()).as(zone).isEqualTo(first);
      now.set(Instant.parse("2026-12-01T00:00:00Z"));
      assertThat(books.current()).as(zone).isEqualTo(next);
    }
  }

  @Test
  @DisplayName("is the one with the latest first day, among equals the one loaded last")
  void latest() {
    PriceBook rival = book("other", "2026-01-01");
    PriceBooks books = books(first, ZoneOffset.UTC);

    books.replace(List.of(first, rival, book("older", "2025-01-01"), next));
    assertThat(books.current()).isEqualTo(rival);

    books.replace(List.of(rival, first));
    assertThat(books.current()).isEqualTo(first);
  }

  @Test
  @DisplayName("is the configured one before the first day of all, and until others are known")
  void configured() {
    PriceBooks books = books(next, ZoneOffset.UTC);
    assertThat(books.current()).isEqualTo(next);

    books.replace(List.of(book("later", "2027-01-01")));
    assertThat(books.current()).isEqualTo(next);
    assertThat(PriceBooks.of(first).current()).isEqualTo(first);
  }

  @Test
  @DisplayName("does not make the others unknown")
  void found() {
    PriceBooks books = new PriceBooks(first, Clock.fixed(now.get(), ZoneOffset.UTC));
    books.replace(List.of(next));

    assertThat(books.find(first.version())).contains(first);
    assertThat(books.find(next.version())).contains(next);
    assertThat(books.find("list@2026-01-01#0000000000000000")).isEmpty();
  }
}
