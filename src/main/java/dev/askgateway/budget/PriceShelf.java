package dev.askgateway.budget;

import dev.askgateway.store.PriceRepository;
import dev.askgateway.store.PriceRepository.Stored;
import io.vertx.core.Future;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The books in the database. A row that does not hash to the version it bears is not believed. */
public final class PriceShelf {
  private static final Logger LOG = LoggerFactory.getLogger(PriceShelf.class);

  private final PriceRepository rows;

  public PriceShelf(PriceRepository rows) {
    this.rows = rows;
  }

  /** A book and when it was loaded. */
  public record Placed(PriceBook book, OffsetDateTime loadedAt) {}

  /**
   * Stores a book; true if it was not there. Fails with {@code REQUEST_CONFLICT} when the same id and
   * day have other prices: a version in use cannot change.
   */
  public Future<Boolean> add(PriceBook book) {
    return rows.add(
        book.version(), book.id(), book.validFrom(), book.hash(), PriceContent.toJson(book));
  }

  /** All books in the order in which they were loaded. */
  public Future<List<Placed>> all() {
    return rows.all().map(stored -> {
      List<Placed> books = new ArrayList<>();
      stored.forEach(row -> place(row, books));
      return books;
    });
  }

  private static void place(Stored row, List<Placed> books) {
    try {
      PriceBook book = PriceContent.fromJson(row.content());
      if (book.version().equals(row.version()) && book.hash().equals(row.hash())) {
        books.add(new Placed(book, row.loadedAt()));
        return;
      }
    } catch (IllegalArgumentException unknown) {
      LOG.debug("price book {} does not read", row.version(), unknown);
    }
    LOG.warn("price book {} is left out: its content is not what its version says", row.version());
  }
}
