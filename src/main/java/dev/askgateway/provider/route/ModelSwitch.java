package dev.askgateway.provider.route;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operator's switch of models: while it is off, no call of a model outside of this process begins. Plans
 * heed it, and so does every call for itself: a second try or a hedge may come long after its plan. What a model
 * is writing goes on to its end. Shared by all threads.
 */
public final class ModelSwitch {
  private final ModelProvider quoting;
  private volatile boolean off;

  /**
   * Makes a switch.
   *
   * @param off whether it is off until somebody sets it: a process that cannot know calls nobody
   * @param quoting what answers from evidence alone, in this process
   */
  public ModelSwitch(boolean off, ModelProvider quoting) {
    this.off = off;
    this.quoting = quoting;
  }

  public void set(boolean isOff) {
    off = isOff;
  }

  public boolean isOff() {
    return off;
  }

  /** Refuses with {@code MODELS_OFF} while it is off what could be answered else. */
  public Planner refusing(Planner planner) {
    return (user, name, needs, commit) ->
        planner.plan(user, name, needs, commit).compose(plan -> off ? refused() : planned(plan));
  }

  /**
   * Has evidence quoted while it is off, also where no model could answer or take the question: quotes need
   * none. What no quotes can be made for is refused; a name that leads to nothing stays {@code NOT_FOUND}.
   */
  public Planner quoting(Planner planner) {
    return (user, name, needs, commit) -> planner
        .plan(user, name, needs, commit)
        .transform(planned -> {
          if (!off || (planned.failed() && !isOfModels(planned.cause()))) {
            return planned.succeeded()
                ? planned(planned.result())
                : Future.failedFuture(planned.cause());
          }
          return standIn(planned.succeeded() ? planned.result().name() : name, commit, needs);
        });
  }

  /** Whether it is said of the models that they cannot. */
  private static boolean isOfModels(Throwable refused) {
    return refused instanceof GatewayError error
        && (error.code() == Code.NO_PROVIDER || error.code() == Code.CONTEXT_TOO_LARGE);
  }

  private static Future<Plan> planned(Plan plan) {
    return Future.succeededFuture(plan);
  }

  private Future<Plan> standIn(String name, Plan.Commit commit, Needs needs) {
    return needs.structuredOutput() || needs.tools()
        ? refused()
        : planned(new Plan(
            name,
            List.of(new StandIn(quoting)),
            commit,
            Deadlines.DEFAULT,
            1,
            Duration.ZERO,
            () -> false));
  }

  /** Whether evidence is quoted because models are switched off. */
  public static boolean isStandIn(Plan plan) {
    return plan.candidates().get(0) instanceof StandIn;
  }

  /** Models of that factory, of which those outside of this process refuse every call while it is off. */
  public ProviderFactory over(ProviderFactory factory) {
    return new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
        ModelProvider made = factory.answering(provider, model);
        return provider.isInProcess() ? made : new Answering(made);
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
        EmbeddingModel made = factory.embedding(provider, model);
        return provider.isInProcess() ? made : new Embedding(made);
      }
    };
  }

  /** Fails with {@code MODELS_OFF} while it is off. */
  public Future<Void> allowed() {
    return off ? refused() : Future.succeededFuture();
  }

  private static <T> Future<T> refused() {
    return Future.failedFuture(
        new GatewayError(Code.MODELS_OFF, "The models are switched off at the moment."));
  }

  /** What answers in place of a plan's models. */
  private record StandIn(ModelProvider provider) implements Candidate {
    @Override
    public @Nullable Permit admit() {
      return Candidate.of(provider).admit();
    }

    @Override
    public Duration refusedFor() {
      return Duration.ZERO;
    }
  }

  /** A model that writes nothing new while the switch is off. */
  private final class Answering implements AbortableProvider {
    private final ModelProvider model;

    private Answering(ModelProvider model) {
      this.model = model;
    }

    @Override
    public ModelCall start(ModelRequest request, Deadlines deadlines) {
      return off ? new ModelCall(refused(), () -> {}) : ModelCall.start(model, request, deadlines);
    }

    @Override
    public String name() {
      return model.name();
    }

    @Override
    public String model() {
      return model.model();
    }

    @Override
    public Dialect dialect() {
      return model.dialect();
    }
  }

  /** A model that makes no vectors while the switch is off. */
  private final class Embedding implements EmbeddingModel {
    private final EmbeddingModel model;

    private Embedding(EmbeddingModel model) {
      this.model = model;
    }

    @Override
    public Future<Void> allowed() {
      return ModelSwitch.this.allowed();
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      return off ? refused() : model.embed(request, deadlines);
    }

    @Override
    public String name() {
      return model.name();
    }

    @Override
    public String model() {
      return model.model();
    }

    @Override
    public Dialect dialect() {
      return model.dialect();
    }

    @Override
    public int mostTexts() {
      return model.mostTexts();
    }

    @Override
    public int mostTokens() {
      return model.mostTokens();
    }
  }
}
