package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.indexing.EmbeddingCalls.Brought;
import dev.askgateway.store.IndexRepository.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EmbeddingCallsTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final FakeEmbedder embedder = FakeEmbedder.open();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private EmbeddingCalls calls(int places, int texts, int tokens) {
    IndexingConfig usual = IndexingConfig.DEFAULT;
    IndexingConfig config = new IndexingConfig(
        places,
        8,
        texts,
        tokens,
        8,
        usual.pollInterval(),
        usual.lease(),
        usual.retryBase(),
        usual.retryCeiling(),
        3,
        5,
        Duration.ofSeconds(2));
    return new EmbeddingCalls(vertx, loop, embedder, config);
  }

  private static Brought brought(Future<Brought> future) {
    Brought brought = future.await();
    brought.written().run();
    return brought;
  }

  @Test
  @DisplayName("parts of several persons share a call, and each gets the vectors of its own texts")
  void share() {
    EmbeddingCalls calls = calls(1, 64, 100_000);

    Future<Brought> ana = calls.embed(List.of("a1", "a2"), false, used -> {});
    Future<Brought> ben = calls.embed(List.of("b1"), false, used -> {});

    assertThat(brought(ana).vectors())
        .containsExactly(FakeEmbedder.vectorOf("a1"), FakeEmbedder.vectorOf("a2"));
    assertThat(brought(ben).vectors()).containsExactly(FakeEmbedder.vectorOf("b1"));
    assertThat(embedder.calls).containsExactly(List.of("a1", "a2", "b1"));
  }

  @Test
  @DisplayName("each part hears of its own share of what the call used, also when the call failed")
  void used() {
    EmbeddingCalls calls = calls(1, 64, 100_000);
    List<EmbeddingUse> ana = new ArrayList<>();
    List<EmbeddingUse> ben = new ArrayList<>();
    embedder.tokens = 30;
    Future<Brought> some = calls.embed(List.of("1234", "1234"), false, ana::add);
    Future<Brought> more = calls.embed(List.of("1234"), false, ben::add);
    brought(some);
    brought(more);

    assertThat(ana).extracting(use -> use.usage().inputTokens()).containsExactly(20L);
    assertThat(ben).extracting(use -> use.usage().inputTokens()).containsExactly(10L);
    embedder.gate = FakeEmbedder.refusing("bad", GatewayError.Code.PROVIDER_FAILED);
    assertThatThrownBy(calls.embed(List.of("bad"), true, ana::add)::await)
        .isInstanceOf(GatewayError.class);
    assertThat(ana).extracting(use -> use.usage().inputTokens()).containsExactly(20L, 30L);
  }

  @Test
  @DisplayName("a text that spoils a shared call fails its own part only")
  void poison() {
    embedder.gate = FakeEmbedder.refusing("bad", GatewayError.Code.INVALID_REQUEST);
    EmbeddingCalls calls = calls(1, 64, 100_000);

    Future<Brought> ana = calls.embed(List.of("bad", "a2"), false, used -> {});
    Future<Brought> ben = calls
        .embed(List.of("b1", "b2"), false, used -> {})
        .onSuccess(brought -> brought.written().run());

    assertThatThrownBy(ana::await).isInstanceOf(GatewayError.class);
    assertThat(ben.await().vectors()).hasSize(2);
    assertThat(embedder.calls).hasSize(3);
  }

  @Test
  @DisplayName("a place is taken until what its call brought is written")
  void untilWritten() {
    EmbeddingCalls calls = calls(1, 1, 100_000);
    Brought first = calls.embed(List.of("one"), false, used -> {}).await();
    Future<Brought> second = calls.embed(List.of("two"), false, used -> {});
    Promise<Void> considered = Promise.promise();
    loop.runOnContext(now -> considered.complete()); // after it, as a full call is due at once
    considered.future().await();
    assertThat(embedder.calls).hasSize(1);

    first.written().run();
    first.written().run();

    assertThat(brought(second).vectors()).hasSize(1);
  }

  @Test
  @DisplayName("no call is above its limits, and from a backlog over half of each is used")
  void limits() {
    Random random = new Random(20261201);
    EmbeddingCalls calls = calls(2, 16, 4_000);
    Promise<Void> held = Promise.promise();
    embedder.gate = texts -> held.future();
    List<Future<Brought>> all = new ArrayList<>();
    int texts = 0;
    for (int part = 0; part < 120; part++) {
      List<String> some = IntStream.rangeClosed(0, random.nextInt(16))
          .mapToObj(i -> "नमस्ते ".repeat(random.nextInt(8)) + i)
          .toList();
      texts += some.size();
      all.add(calls
          .embed(some, false, used -> {})
          .onSuccess(brought -> brought.written().run()));
    }
    held.complete();
    Future.all(all).await();

    assertThat(embedder.texts()).hasSize(texts);
    assertThat(embedder.calls).allSatisfy(call -> {
      assertThat(call).hasSizeLessThanOrEqualTo(16);
      assertThat(call.stream().mapToInt(CallLimits::tokens).sum()).isLessThanOrEqualTo(4_000);
    });
    assertThat((double) texts / embedder.calls.size()).isGreaterThan(8);
  }

  @Test
  @DisplayName(
      "a batch ends before the text that would be above the limit; a text alone above it is cut")
  void fitting() {
    CallLimits limits = new CallLimits(3, 20);

    assertThat(limits.fitting(waiting("12345678", "12345678", "1"))).hasSize(2);
    assertThat(limits.fitting(waiting("1", "2", "3", "4"))).hasSize(3);
    assertThat(limits.fitting(waiting("x".repeat(100), "1"))).hasSize(1);
    String cut = limits.cut("🎂".repeat(10));
    assertThat(cut).isEqualTo("🎂".repeat(4));
    assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isEqualTo(CallLimits.tokens(cut) - 2);
    assertThat(limits.cut("short")).isEqualTo("short");
  }

  private static List<Waiting> waiting(String... texts) {
    return List.of(texts).stream()
        .map(text -> new Waiting(UUID.randomUUID(), Buffer.buffer(text), text, 0))
        .toList();
  }
}
