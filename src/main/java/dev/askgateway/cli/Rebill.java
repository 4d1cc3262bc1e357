package dev.askgateway.cli;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceShelf;
import dev.askgateway.store.PriceRepository;
import dev.askgateway.store.UsageRepository;
import dev.askgateway.store.UsageRepository.Attempt;
import dev.askgateway.store.UsageRepository.Billed;
import dev.askgateway.store.UsageRepository.Event;
import dev.askgateway.store.UsageRepository.Place;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Computes the cost of every usage row again, and of every other call of a request, each with the book
 * it names, and tells where another number stands. Nothing of a person is printed but the request's id.
 */
final class Rebill {
  private static final int PAGE = 1_000;

  private final PrintWriter out;
  private final Map<String, PriceBook> books = new HashMap<>();
  private long rows;
  private long attempts;
  private long withoutTokens;
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
    pages(
        Place.START,
        Event::place,
        this::event,
        after -> owner.await(usage.page(asOf, after, PAGE)));
    pages(
        Attempt.NONE,
        Function.identity(),
        this::attempt,
        after -> owner.await(usage.attempts(asOf, after, PAGE)));
    out.println("Rows up to " + asOf + ": " + rows + "; other calls: " + attempts
        + "; differences: " + differences + ".");
    if (withoutTokens > 0) {
      out.println("Not computed again: what other calls cost in " + withoutTokens
          + " rows of before their tokens were kept.");
    }
    return differences == 0;
  }

  private static <T, P> void pages(
      P start, Function<T, P> place, Consumer<T> check, Function<P, List<T>> pageAfter) {
    P after = start;
    List<T> page;
    do {
      page = pageAfter.apply(after);
      page.forEach(check);
      after = page.isEmpty() ? after : place.apply(page.get(page.size() - 1));
    } while (page.size() == PAGE);
  }

  private void event(Event row) {
    rows++;
    check(row.place(), row.billed());
    if (row.attemptsMicroUsd() == null) {
      withoutTokens += row.failedCostMicroUsd() > 0 ? 1 : 0;
    } else if (row.attemptsMicroUsd() != row.failedCostMicroUsd()) {
      differs(
          row.place(),
          "failed " + row.failedCostMicroUsd(),
          "failed " + row.attemptsMicroUsd(),
          row.billed().priceBook());
    }
  }

  private void attempt(Attempt attempt) {
    attempts++;
    check(attempt.place(), attempt.billed());
  }

  private void check(Place place, Billed billed) {
    PriceBook book = books.get(billed.priceBook());
    String stored = String.valueOf(billed.costMicroUsd());
    if (book == null) {
      differs(place, stored, "unknown book", billed.priceBook());
      return;
    }
    long computed = billed.embeds()
        ? book.embeddingMicroUsd(billed.provider(), billed.model(), billed.usage())
        : book.costMicroUsd(billed.provider(), billed.model(), billed.usage());
    if (computed != billed.costMicroUsd()) {
      differs(place, stored, String.valueOf(computed), billed.priceBook());
    }
  }

  private void differs(Place place, String stored, String computed, String book) {
    differences++;
    out.println(
        place.requestId() + "  stored " + stored + "  computed " + computed + "  prices " + book);
  }
}
