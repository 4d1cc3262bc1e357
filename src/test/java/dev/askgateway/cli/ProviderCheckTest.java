package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiEmbedding;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
@DisplayName("provider check")
class ProviderCheckTest {
  private static final Wording OPENAI = Wording.of(Dialect.OPENAI);
  private static final Script WORDS = Script.answer("one SECRET", " two", " three");

  @TempDir
  private Path folder;

  private ChaosProvider good;
  private ChaosProvider bad;
  private ChaosProvider vectors;

  private record Ran(int code, String out, String err) {}

  @BeforeEach
  void listen(Vertx vertx) {
    good = ChaosProvider.listen(vertx, Reply.answer(OPENAI, WORDS));
    bad = ChaosProvider.listen(vertx, Reply.answer(OPENAI, WORDS.cutAfter(2)));
    String answer = "{\"data\":[{\"index\":0,\"embedding\":[1,2,3]},"
        + "{\"index\":1,\"embedding\":[3,2,1]}],\"usage\":{\"prompt_tokens\":4}}";
    vectors = ChaosProvider.listen(
        vertx, Reply.status(200, "Content-Type: application/json\r\n", answer));
  }

  private Path models() throws IOException {
    return Files.writeString(folder.resolve("models.yaml"), """
        providers:
          fine: {baseUrl: %s, apiKey: sk-SECRET}
          poor: {baseUrl: %s, apiKey: sk-SECRET}
          dense: {baseUrl: %s, apiKey: sk-SECRET}
        models:
          good: {provider: fine, model: good-1, contextTokens: 400000}
          bad: {provider: poor, model: bad-1, contextTokens: 400000}
          three: {provider: dense, model: dense-1, embeddingDimensions: 3}
        profiles:
          assistant_grounded: {models: [good, bad]}
          near: {models: [three]}
        """.formatted(
            good.baseUrl(), bad.baseUrl(), vectors.baseUrl()));
  }

  /** The two wire formats of these tests; the root knows them all. */
  private static ProviderFactory factory(Vertx vertx, UpstreamClient client) {
    return new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
        return provider.isInProcess()
            ? new ExtractiveProvider(vertx)
            : new OpenAiProvider(client, provider, model);
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
        return new OpenAiEmbedding(client, provider, model);
      }
    };
  }

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(
        arguments,
        Map.of(),
        config -> Future.failedFuture(GatewayError.notFound("server")),
        (vertx, limits) -> factory(vertx, UpstreamClient.create(vertx, limits)),
        Runnable::run,
        new PrintWriter(out, true),
        new PrintWriter(err, true));
    assertThat(out + "" + err).doesNotContain("SECRET");
    return new Ran(code, out.toString(), err.toString());
  }

  private Ran check(String... names) throws IOException {
    Path file = models();
    return run(
        Stream.concat(Stream.of("provider", "check", "--config", file.toString()), Stream.of(names))
            .toArray(String[]::new));
  }

  private static List<String> lines(String out, String start) {
    return out.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.replaceAll(" {2,}\\d* *", "|").replaceAll("\\d+ ms", "N ms"))
        .toList();
  }

  @Test
  @DisplayName("asks every model over the network, tells each one's results and ends with 1")
  void all() throws IOException {
    Ran ran = check();
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out().lines())
        .contains("good (fine, good-1)", "bad (poor, bad-1)", "three (dense, dense-1)", "profiles")
        .noneMatch(line -> line.startsWith("quote"));
    assertThat(lines(ran.out(), "streaming"))
        .containsExactly(
            "streaming|passed|3 text events, one end",
            "streaming|failed|provider_truncated (TRUNCATED: no finish reason and no end marker)");
    assertThat(lines(ran.out(), "usage fields"))
        .first()
        .isEqualTo("usage fields|passed|12 in, 7 out");
    assertThat(lines(ran.out(), "embedding dimensions"))
        .last()
        .isEqualTo("embedding dimensions|passed|length 3");
    assertThat(ran.out()).containsPattern("Models checked: 3\\. Checks passed: \\d+, failed: 2,");
  }

  @Test
  @DisplayName("asks only the models that are named, and ends with 0 when they keep their promises")
  void named() throws IOException {
    Ran ran = check("good", "three", "good");
    assertThat(ran.code()).as(ran.out()).isZero();
    assertThat(lines(ran.out(), "streaming")).hasSize(1);
    assertThat(ran.out()).contains("Models checked: 2.").contains("failed: 0,");
    assertThat(bad.calls()).isEmpty();
    assertThat(good.calls(("sk-SECRET"))).isGreaterThanOrEqualTo(2);
  }

  @Test
  @DisplayName("has a line for each profile that tells whom its plan has")
  void profiles() throws IOException {
    Ran ran = check("three");
    assertThat(lines(ran.out(), "assistant_grounded"))
        .containsExactly("assistant_grounded|passed|answers by fine, poor");
    assertThat(lines(ran.out(), "near")).containsExactly("near|passed|embeds by dense");
  }

  @Test
  @DisplayName("asks nobody when a name is unknown, and tells those that there are")
  void unknown() throws IOException {
    for (String name : List.of("gud", "quote", "assistant_grounded")) {
      Ran ran = check("good", name);
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err())
          .isEqualToIgnoringNewLines("It could not be done: " + name
              + " is no model that is asked over a network; those set up are: good, bad, three");
    }
    assertThat(good.calls()).isEmpty();
  }

  @Test
  @DisplayName("needs nothing but the models: no database, no secret, and no model either")
  void nothing() {
    Ran ran = run("provider", "check");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("Models checked: 0.").contains("assistant_grounded");
    assertThat(run("provider", "check", "any").err()).contains("those set up are: none");
  }

  @Test
  @DisplayName("tells what is wrong with the models of the configuration")
  void wrong() throws IOException {
    Path file = Files.writeString(
        folder.resolve("wrong.yaml"), "models: {m: {provider: nobody, model: m}}\n");
    Ran ran = run("provider", "check", "--config", file.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("models.m.provider is nobody");
  }
}
