package dev.askgateway.provider.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.TokenPump;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The switch of models")
@ExtendWith(VertxExtension.class)
class ModelSwitchTest {
  private static final UserId ANA = new UserId("ana");

  private final List<String> asked = new ArrayList<>();
  private final Map<String, Supplier<Future<TokenStream>>> answers = new HashMap<>();
  private ModelSwitch models;

  @BeforeEach
  void on(Vertx vertx) {
    models = new ModelSwitch(false, new ExtractiveProvider(vertx));
  }

  /** Notes that it was asked and does what the test says. */
  private record Noted(
      String name, List<String> asked, Map<String, Supplier<Future<TokenStream>>> answers)
      implements ModelProvider {
    @Override
    public String model() {
      return name;
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      asked.add(name);
      return answers.get(name).get();
    }
  }

  private final ProviderFactory factory = new ProviderFactory() {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return new Noted(provider.name(), asked, answers);
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      throw new AssertionError("nothing is embedded");
    }
  };

  private ModelProvider model(String name, Dialect dialect) {
    ProviderConfig server = ProviderConfig.of(
        name,
        dialect,
        dialect == Dialect.EXTRACTIVE ? "" : "http://localhost/v1",
        "k",
        ProviderConfig.KeyHeader.BEARER);
    return models.over(factory).answering(server, ModelConfig.of(name, "m"));
  }

  private static Future<TokenStream> says(String text) {
    TokenPump pump = new TokenPump(new TokenPump.Source() {
      @Override
      public void pause() {}

      @Override
      public void resume() {}

      @Override
      public void cancel() {}
    });
    pump.offer(new TokenEvent.Text(text));
    pump.end();
    return Future.succeededFuture(pump);
  }

  private Transcript ask(Vertx vertx, ModelProvider... candidates) {
    return Wait.onLoop(vertx, () -> new FailoverGate(vertx)
        .start(
            Prompts.request(),
            Plan.of(Deadlines.DEFAULT, List.of(candidates)),
            AttemptListener.NONE)
        .committed()
        .compose(committed -> Transcript.of(committed.stream()))
        .otherwise(cause -> new Transcript(List.of(), (GatewayError) cause)));
  }

  @Test
  @DisplayName("lets no other model be asked when it is switched off while the first one fails")
  void betweenTries(Vertx vertx) {
    answers.put("one", () -> {
      models.set(true);
      return Future.failedFuture(ProviderFailure.error(Kind.UNAVAILABLE, "down"));
    });
    answers.put("two", () -> says("b"));

    Transcript told = ask(vertx, model("one", Dialect.OPENAI), model("two", Dialect.OPENAI));

    assertThat(asked).containsExactly("one");
    assertThat(told.failure()).isNotNull();
    assertThat(told.failure().code()).isEqualTo(Code.MODELS_OFF);
    models.set(false);
    assertThat(ask(vertx, model("two", Dialect.OPENAI)).text()).isEqualTo("b");
  }

  @Test
  @DisplayName("does not cut what a model already writes")
  void running(Vertx vertx) {
    answers.put("one", () -> says("a").onSuccess(opened -> models.set(true)));

    assertThat(ask(vertx, model("one", Dialect.OPENAI)).text()).isEqualTo("a");
  }

  @Test
  @DisplayName("leaves alone what runs in this process, and speaks against nobody's health")
  void others() {
    assertThat(model("here", Dialect.EXTRACTIVE)).isInstanceOf(Noted.class);
    GatewayError refused = new GatewayError(Code.MODELS_OFF, "off");
    assertThat(ProviderFailure.kindOf(refused).passing()).isFalse();
  }

  private Future<Plan> plan(Code refusal, Needs needs) {
    return models
        .quoting(
            (user, name, wanted, commit) -> Future.failedFuture(new GatewayError(refusal, "no")))
        .plan(ANA, "usual", needs, Plan.Commit.TEXT);
  }

  @ParameterizedTest
  @EnumSource(
      value = Code.class,
      names = {"NO_PROVIDER", "CONTEXT_TOO_LARGE"})
  @DisplayName("off, has evidence quoted even where no model could, or could take so much")
  void quotesNeedNone(Code refusal) {
    assertThat(plan(refusal, Needs.NOTHING).failed()).as("it is on").isTrue();
    models.set(true);
    assertThat(ModelSwitch.isStandIn(plan(refusal, Needs.NOTHING).result())).isTrue();
    assertThat(plan(refusal, new Needs(false, true, false, 1, 1)).cause())
        .isInstanceOfSatisfying(
            GatewayError.class, refused -> assertThat(refused.code()).isEqualTo(Code.MODELS_OFF));
  }

  @Test
  @DisplayName("off, still says that there is no such name")
  void unknown() {
    models.set(true);
    assertThat(plan(Code.NOT_FOUND, Needs.NOTHING).cause())
        .isInstanceOfSatisfying(
            GatewayError.class, refused -> assertThat(refused.code()).isEqualTo(Code.NOT_FOUND));
  }
}
