package dev.askgateway.provider.check;

import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.check.Trial.Until;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks one configured model a few small questions, one after the other, and compares what comes with
 * what its record claims. Costs a handful of real calls. Knows the ports only, no wire format.
 */
public final class ContractCheck {
  /** A longer prompt is not worth its price: the limit of such a model is not tried. */
  private static final int MOST_CONTEXT = 300_000;

  private final Vertx vertx;
  private final ModelProvider provider;
  private final Capabilities model;
  private final Deadlines deadlines;

  private ContractCheck(
      Vertx vertx, ModelProvider provider, Capabilities model, Deadlines deadlines) {
    this.vertx = vertx;
    this.provider = provider;
    this.model = model;
    this.deadlines = deadlines;
  }

  /**
   * Checks a model that answers. May be called from any thread.
   *
   * @return one result for each check, always all of them; never a failure
   */
  public static Future<List<Result>> run(
      Vertx vertx, ModelProvider provider, ModelConfig model, Deadlines deadlines) {
    ContractCheck check = new ContractCheck(vertx, provider, model.capabilities(), deadlines);
    return onLoop(vertx, check::all);
  }

  /** Checks a model that makes vectors, in the same way. */
  public static Future<List<Result>> run(
      Vertx vertx, EmbeddingModel embedder, ModelConfig model, Deadlines deadlines) {
    int dimensions = model.capabilities().embeddingDimensions();
    EmbeddingCheck check = new EmbeddingCheck(embedder, dimensions, deadlines);
    return onLoop(vertx, () -> check.run().map(List::of));
  }

  private static Future<List<Result>> onLoop(Vertx vertx, Supplier<Future<List<Result>>> work) {
    Promise<List<Result>> done = Promise.promise();
    vertx.getOrCreateContext().runOnContext(now -> work.get().onComplete(done));
    return done.future();
  }

  private Future<List<Result>> all() {
    List<Supplier<Future<List<Result>>>> checks = List.of(
        this::longAnswer,
        this::abortOpening,
        this::abort,
        this::structured,
        this::tools,
        this::context,
        () -> skipped(Verdicts.DIMENSIONS, "makes no vectors"));
    List<Result> results = new ArrayList<>();
    Future<List<Result>> all = Future.succeededFuture(results);
    for (Supplier<Future<List<Result>>> check : checks) {
      all = all.compose(before -> check.get()).map(found -> {
        results.addAll(found);
        return results;
      });
    }
    return all.map(List::copyOf);
  }

  /** One answer tells three things. */
  private Future<List<Result>> longAnswer() {
    return ask(Questions.longAnswer(model), Until.END)
        .map(heard -> List.of(
            Verdicts.streaming(heard, model),
            Verdicts.usage(heard, model),
            Verdicts.simulated(heard, model)));
  }

  private Future<List<Result>> abortOpening() {
    if (!(provider instanceof AbortableProvider)) {
      return skipped(Verdicts.ABORT_OPENING, "cannot be given up before it opens");
    }
    return ask(Questions.longAnswer(model), Until.OPENING)
        .map(heard -> List.of(Verdicts.abortOpening(heard)));
  }

  private Future<List<Result>> abort() {
    return ask(Questions.longAnswer(model), Until.FIRST_TEXT)
        .map(heard -> List.of(Verdicts.abort(heard)));
  }

  private Future<List<Result>> structured() {
    if (!model.structuredOutput()) {
      return skipped(Verdicts.STRUCTURED, "claims to have none");
    }
    return ask(Questions.structured(model), Until.END)
        .map(heard -> List.of(Verdicts.structured(heard)));
  }

  private Future<List<Result>> tools() {
    if (!model.tools()) {
      return skipped(Verdicts.TOOLS, "claims to take none");
    }
    return ask(Questions.toolCall(model), Until.END).map(heard -> List.of(Verdicts.tools(heard)));
  }

  private Future<List<Result>> context() {
    if (model.contextTokens() > MOST_CONTEXT) {
      return skipped(Verdicts.CONTEXT, "over " + MOST_CONTEXT + " tokens");
    }
    return ask(Questions.tooLong(model), Until.FIRST_TEXT)
        .map(heard -> List.of(Verdicts.context(heard)));
  }

  private Future<Heard> ask(ModelRequest request, Until until) {
    return Trial.of(vertx, provider, request, deadlines, until);
  }

  private static Future<List<Result>> skipped(String name, String why) {
    return Future.succeededFuture(List.of(Result.skipped(name, why)));
  }
}
