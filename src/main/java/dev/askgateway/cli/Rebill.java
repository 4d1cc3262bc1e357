package dev.askgateway.cli;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceShelf;
import dev.askgateway.store.PriceRepository;
import dev.askgateway.store.UsageRepository;
import dev.askgateway.store.UsageRepository.Billed;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Computes the cost of every usage row again, each with the book it names, and tells where another
 * number stands. Nothing of a person is printed but the request's id.
 */
final class Rebill {
  private static final int PAGE = 1_000;
  private static final String EMBEDDING = "embedding";
  private static final String NOT_CHECKED =
      "failed_cost_micro_usd was not computed again: the rows have no token counts of it.";

  private final PrintWriter out;
  private final Map<String, PriceBook> books = new HashMap<>();
  private long rows;
  private long differences;

  Rebill(PrintWriter out) {
    this.out = out;
  }

  /** Tells the differences of the rows up to that day, in UTC; whether there were none. */
  boolean check(Visit owner, LocalDate asOf) {
    owner
        .await(new PriceShelf(new PriceRepository(owner.database())).all())
        .forEach(placed -> books.put(placed.book().version(), placed.book()));
    UsageRepository usage = new UsageRepository(owner.database());
    UsageRepository.Place place = UsageRepository.Place.START;
    List<Billed> page;
    do {
      page = owner.await(usage.page(asOf, place, PAGE));
      page.forEach(this::check);
      place = page.isEmpty() ? place : page.get(page.size() - 1).place();
    } while (page.size() == PAGE);
    out.println("Rows up to " + asOf + ": " + rows + "; differences: " + differences + ".");
    out.println(NOT_CHECKED);
    return differences == 0;
  }

  private void check(Billed row) {
    rows++;
    PriceBook book = books.get(row.priceBook());
    if (book == null) {
      differs(row, "unknown book");
      return;
    }
    long computed = row.feature().equals(EMBEDDING)
        ? book.embeddingMicroUsd(row.provider(), row.model(), row.usage())
        : book.costMicroUsd(row.provider(), row.model(), row.usage());
    if (computed != row.costMicroUsd()) {
      differs(row, String.valueOf(computed));
    }
  }

  private void differs(Billed row, String computed) {
    differences++;
    UUID request = row.place().requestId();
    out.println(request + "  stored " + row.costMicroUsd() + "  computed " + computed + "  prices "
        + row.priceBook());
  }
}
