package dev.askgateway.answer.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.TokenStream;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("The estimate of an input")
@ExtendWith(VertxExtension.class)
class InputEstimateTest {
  private static final String DIGITS = "1234567890".repeat(30);
  private static final int OF_MESSAGE = 16;

  private InputEstimate estimate;

  @BeforeEach
  void load(Vertx vertx) {
    Counting counting = Counting.o200k(vertx);
    Wait.onLoop(vertx, counting::load);
    estimate = new InputEstimate(catalogue(), counting);
  }

  private static Catalogue catalogue() {
    Capabilities vectors = new Capabilities(8_000, 1, false, false, false, true, false, 3);
    return Catalogue.of(
        List.of(
            server("openai", Dialect.OPENAI, "https://api.openai.com/v1"),
            server("europe", Dialect.OPENAI, "https://EU.api.openai.com/v1"),
            server("other", Dialect.OPENAI, "https://api.openai.com.example.org/v1"),
            server("claude", Dialect.ANTHROPIC, "https://api.anthropic.com")),
        List.of(
            ModelConfig.of("openai", "a"),
            ModelConfig.of("europe", "e"),
            ModelConfig.of("other", "o"),
            ModelConfig.of("claude", "c"),
            new ModelConfig(
                "v", "openai", "v", vectors, ModelConfig.MaxTokensMember.MAX_TOKENS, false),
            new ModelConfig(
                "known",
                "other",
                "known",
                Capabilities.TEXT,
                ModelConfig.MaxTokensMember.MAX_TOKENS,
                true,
                1,
                700)),
        List.of());
  }

  private static ProviderConfig server(String name, Dialect dialect, String url) {
    return ProviderConfig.of(name, dialect, url, "k", ProviderConfig.KeyHeader.BEARER);
  }

  /** A model of a plan: nobody opens it. */
  private record Named(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      return Future.failedFuture("not opened here");
    }
  }

  /** A model that embeds nothing. */
  private record Embedding(String name, String model) implements EmbeddingModel {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 1;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      return Future.failedFuture("not called here");
    }
  }

  private static Plan plan(String... models) {
    return Plan.of(
        Deadlines.DEFAULT,
        Arrays.stream(models)
            .map(model -> model.split(":"))
            .map(parts -> new Named(parts[0], parts[1]))
            .toList());
  }

  private static ModelRequest request(
      List<ModelRequest.Part> parts, List<ModelRequest.Tool> tools) {
    ModelRequest.Message message =
        new ModelRequest.Message(ModelRequest.Role.USER, parts, List.of(), "");
    return new ModelRequest(
        List.of(message),
        tools,
        ModelRequest.ToolChoice.AUTO,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  private long of(ModelRequest request, boolean openAiOnly, Plan plan) {
    InputEstimate.Tokens tokens = tokens(request, openAiOnly, plan);
    return tokens.text() + tokens.images();
  }

  private InputEstimate.Tokens tokens(ModelRequest request, boolean openAiOnly, Plan plan) {
    Caller caller =
        new Caller(new UserId("ana"), UUID.randomUUID(), Buffer.buffer(), false, 0, Span.NONE);
    return Wait.on(
        estimate.of(new CompletionCommand(caller, "m", request, openAiOnly, 9_000), plan));
  }

  private long of(String text, String... models) {
    return of(request(List.of(new ModelRequest.Text(text)), List.of()), false, plan(models));
  }

  @Test
  @DisplayName("is the count of the vocabulary for OpenAI's own models, in any of its regions")
  void exact() {
    assertThat(of("hello world", "openai:a")).isEqualTo(2 + OF_MESSAGE);
    assertThat(of("hello world", "europe:e")).isEqualTo(2 + OF_MESSAGE);
    assertThat(of(DIGITS, "openai:a")).isEqualTo(100 + OF_MESSAGE);
  }

  @Test
  @DisplayName("has a margin for the vocabularies of others, the widest of those that may be asked")
  void margins() {
    String words = "hello world ".repeat(50).strip();
    long counted = of(words, "openai:a") - OF_MESSAGE;

    assertThat(of(words, "other:o") - OF_MESSAGE).isEqualTo((counted * 3 + 1) / 2);
    assertThat(of(words, "claude:c") - OF_MESSAGE).isEqualTo(counted * 2);
    assertThat(of(words, "openai:a", "claude:c", "other:o")).isEqualTo(of(words, "claude:c"));
    assertThat(of(words, "somebody:else")).isEqualTo(of(words, "other:o"));
    assertThat(of(words, "other:known")).isEqualTo(counted + OF_MESSAGE);
    assertThat(of(DIGITS, "other:o")).isEqualTo(300 + OF_MESSAGE);
  }

  @Test
  @DisplayName("counts tools and images too, and half the bytes of what only the original says")
  void around() {
    ModelRequest.Tool tool = new ModelRequest.Tool("look", "Looks up", new JsonObject());
    List<ModelRequest.Part> parts =
        List.of(new ModelRequest.Text("hello world"), new ModelRequest.Image("data:x"));
    Plan plan = plan("openai:a");

    assertThat(of(request(parts, List.of()), false, plan)).isEqualTo(2 + 5_000 + OF_MESSAGE);
    assertThat(of(request(parts, List.of(tool)), false, plan))
        .isBetween(2 + 5_000 + 2L * OF_MESSAGE, 2 + 5_000 + 2L * OF_MESSAGE + 8);
    assertThat(of(request(parts, List.of()), true, plan("other:known"))).isEqualTo(4_500);
  }

  @Test
  @DisplayName("keeps images apart, each as many tokens as the model that makes most of one")
  void images() {
    List<ModelRequest.Part> parts = List.of(
        new ModelRequest.Image("data:x"),
        new ModelRequest.Text("hello world"),
        new ModelRequest.Image("data:y"));
    ModelRequest request = request(parts, List.of());

    assertThat(tokens(request, false, plan("other:known")))
        .isEqualTo(new InputEstimate.Tokens(2 + OF_MESSAGE, 2 * 700));
    assertThat(tokens(request, false, plan("other:known", "openai:a")).images())
        .isEqualTo(2 * 5_000);
    assertThat(tokens(request, false, plan("somebody:else")).images()).isEqualTo(2 * 5_000);
    assertThat(tokens(request(parts.subList(1, 2), List.of()), false, plan("openai:a"))
            .images())
        .isZero();
  }

  @Test
  @DisplayName("has the margin for embedding models of OpenAI, whose vocabulary is an older one")
  void vectors() {
    List<String> texts = List.of(DIGITS, DIGITS);

    assertThat(Wait.on(estimate.of(texts, new Embedding("openai", "v"))))
        .isEqualTo(2 * (300 + OF_MESSAGE));
  }
}
