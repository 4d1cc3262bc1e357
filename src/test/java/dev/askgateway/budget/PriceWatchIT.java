package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.PriceBook.Price;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.PriceRepository;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nodes of one database")
class PriceWatchIT {
  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-30T12:00:00Z"));
  private StoreConfig store;
  private PriceRepository rows;

  @BeforeEach
  void open() {
    String url = DevServices.shared().freshDatabase("price_watch");
    store = new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
    rows = new PriceRepository(new Database(vertx, store));
  }

  @AfterEach
  void close() {
    Wait.on(vertx.close());
  }

  private static PriceBook book(String day, long input) {
    return new PriceBook(
        "list", LocalDate.parse(day), Map.of("p:m", new Price(input, 2, 3, 4, 5, 6, 7)));
  }

  private PriceBooks books(PriceBook configured) {
    InstantSource source = now::get;
    return new PriceBooks(configured, source.withZone(ZoneOffset.UTC));
  }

  private PriceWatch watch(PriceBooks books) {
    return new PriceWatch(vertx, new PriceShelf(rows), books);
  }

  @Test
  @DisplayName("learn a book ahead of its day, and go over to it at midnight without a restart")
  void switched() {
    new Migrations(store).migrate();
    PriceBook configured = book("2026-01-01", 1);
    PriceBook next = book("2026-12-01", 2);
    PriceBooks one = books(configured);
    PriceBooks two = books(configured);
    PriceWatch first = watch(one);
    PriceWatch second = watch(two);
    Wait.on(first.start());
    Wait.on(second.start());

    Wait.on(new PriceShelf(rows).add(next));
    Wait.on(first.look());
    Wait.on(second.look());
    assertThat(one.current()).isEqualTo(configured);
    assertThat(two.current()).isEqualTo(configured);

    now.set(Instant.parse("2026-12-01T00:00:00Z"));
    assertThat(one.current()).isEqualTo(next);
    assertThat(two.current().models()).isEqualTo(next.models());
    assertThat(two.find(configured.version())).contains(configured);
  }

  @Test
  @DisplayName("do not start with prices other than those in use under that id and day")
  void refused() {
    new Migrations(store).migrate();
    Wait.on(watch(books(book("2026-01-01", 1))).start());

    assertThatThrownBy(() -> Wait.on(watch(books(book("2026-01-01", 2))).start()))
        .hasMessageContaining("a version in use cannot change");
  }

  @Test
  @DisplayName("start before the schema is migrated, and register when it is")
  void later() {
    PriceBook configured = book("2026-01-01", 1);
    PriceWatch watch = watch(books(configured));
    Wait.on(watch.start());

    new Migrations(store).migrate();
    Wait.on(watch.look());

    assertThat(Wait.on(new PriceShelf(rows).all()))
        .extracting(PriceShelf.Placed::book)
        .containsExactly(configured);
  }

  @Test
  @DisplayName("do not believe a row whose content is not what its version says")
  void forged() {
    new Migrations(store).migrate();
    PriceBook claimed = book("2026-06-01", 1_000);
    JsonObject cheap = PriceContent.toJson(book("2026-06-01", 1));
    Wait.on(rows.add(claimed.version(), claimed.id(), claimed.validFrom(), claimed.hash(), cheap));
    PriceBooks books = books(book("2026-01-01", 1));
    Wait.on(watch(books).start());

    assertThat(books.current()).isEqualTo(books.configured());
    assertThat(books.find(claimed.version())).isEmpty();
  }
}
