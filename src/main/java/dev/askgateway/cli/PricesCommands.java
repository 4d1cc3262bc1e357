package dev.askgateway.cli;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.PriceShelf;
import dev.askgateway.budget.PriceShelf.Placed;
import dev.askgateway.config.PriceFile;
import dev.askgateway.store.PriceRepository;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The commands about price books. */
@Command(name = "prices", description = "Looks after the prices of models.")
final class PricesCommands {
  @ParentCommand
  private @Nullable Cli cli;

  @Command(
      name = "load",
      description = {
        "Puts a price book into the database, where nodes find it within a minute.",
        "It is in force from its first day (UTC), and never changes."
      })
  int load(
      @Parameters(paramLabel = "FILE", description = "The book as YAML: id, validFrom, models.")
          Path file) {
    PriceBook book = PriceFile.read(file);
    try (Visit visit = Visit.asGateway(parent().database())) {
      boolean added = visit.await(shelf(visit).add(book));
      parent()
          .out()
          .println((added ? "Loaded: " : "There already: ") + book.version()
              + ", models with prices: " + book.models().size() + ".");
    }
    return 0;
  }

  @Command(
      name = "list",
      description = "Lists the price books of the database and tells the one in force.")
  int list() {
    try (Visit visit = Visit.asGateway(parent().database())) {
      List<Placed> placed = visit.await(shelf(visit).all());
      if (placed.isEmpty()) {
        parent().out().println("There are no price books yet.");
        return 0;
      }
      List<PriceBook> inOrder = placed.stream().map(Placed::book).toList();
      PriceBooks books = new PriceBooks(inOrder.get(0), Clock.systemUTC());
      books.replace(inOrder);
      PriceBook current = books.current();
      placed.forEach(one -> parent().out().println(line(one, current)));
    }
    return 0;
  }

  private static String line(Placed one, PriceBook current) {
    return one.book().version() + "  models " + one.book().models().size() + "  loaded "
        + one.loadedAt().toInstant().truncatedTo(ChronoUnit.SECONDS)
        + (one.book().equals(current) ? "  in force" : "");
  }

  private static PriceShelf shelf(Visit visit) {
    return new PriceShelf(new PriceRepository(visit.database()));
  }

  private Cli parent() {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli;
  }
}
