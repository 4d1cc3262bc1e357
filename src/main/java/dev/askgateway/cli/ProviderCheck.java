package dev.askgateway.cli;

import dev.askgateway.budget.PriceBooks;
import dev.askgateway.config.ModelAccess;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.check.CheckTable;
import dev.askgateway.provider.check.ContractCheck;
import dev.askgateway.provider.check.PlanCheck;
import dev.askgateway.provider.check.Result;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks models one after the other and tells each one's results as soon as they are there. */
final class ProviderCheck {
  /** More than all checks of a model together take by their own limits. */
  private static final Duration LONGEST_MODEL = Duration.ofMinutes(20);

  private final Catalogue catalogue;
  private final ModelAccess access;
  private final Checks checks;
  private final PrintWriter out;

  ProviderCheck(ModelAccess access, Checks checks, PrintWriter out) {
    this.catalogue = access.models().catalogue();
    this.access = access;
    this.checks = checks;
    this.out = out;
  }

  /**
   * Blocks until all is told.
   *
   * @param names models; none for all
   * @return whether nothing failed
   * @throws IllegalArgumentException for a name that is no such model
   */
  boolean run(List<String> names) throws Exception {
    List<ModelConfig> models = chosen(names);
    Vertx vertx = Vertx.vertx();
    try {
      ProviderFactory factory = checks.models(vertx, access.upstream());
      List<Result> results = new ArrayList<>();
      for (ModelConfig model : models) {
        results.addAll(tell(
            model.id() + " (" + model.provider() + ", " + model.model() + ")",
            Serve.await(check(vertx, factory, model), LONGEST_MODEL)));
      }
      Models all = new Models(
          catalogue,
          factory,
          PriceBooks.of(access.models().prices()),
          new HealthBook(vertx, HealthListener.NONE));
      results.addAll(tell("profiles", PlanCheck.of(all)));
      return sum(models.size(), results);
    } finally {
      OwnVertx.end(vertx).exceptionally(late -> null).join();
    }
  }

  private List<ModelConfig> chosen(List<String> names) {
    List<ModelConfig> remote = catalogue.models().values().stream()
        .filter(model -> !catalogue.providerOf(model).isInProcess())
        .toList();
    List<String> known = remote.stream().map(ModelConfig::id).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            name + " is no model that is asked over a network; those set up are: "
                + (known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
    return remote.stream()
        .filter(model -> names.isEmpty() || names.contains(model.id()))
        .toList();
  }

  private Future<List<Result>> check(Vertx vertx, ProviderFactory factory, ModelConfig model) {
    ProviderConfig provider = catalogue.providerOf(model);
    return model.capabilities().embeds()
        ? ContractCheck.run(vertx, factory.embedding(provider, model), model, Deadlines.DEFAULT)
        : ContractCheck.run(vertx, factory.answering(provider, model), model, Deadlines.DEFAULT);
  }

  private List<Result> tell(String heading, List<Result> results) {
    out.println(heading);
    out.println(CheckTable.of(results));
    out.flush();
    return results;
  }

  private boolean sum(int models, List<Result> results) {
    long failed = count(results, Result.Status.FAILED);
    out.println("Models checked: " + models + ". Checks passed: "
        + count(results, Result.Status.PASSED) + ", failed: " + failed + ", skipped: "
        + count(results, Result.Status.SKIPPED) + ".");
    return failed == 0;
  }

  private static long count(List<Result> results, Result.Status status) {
    return results.stream().filter(result -> result.status() == status).count();
  }
}
