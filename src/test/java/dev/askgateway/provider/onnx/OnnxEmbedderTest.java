package dev.askgateway.provider.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OnnxEmbedderTest {
  private static Vertx vertx;
  private static OnnxEmbedder embedder;

  @BeforeAll
  static void load() {
    vertx = Vertx.vertx();
    embedder = OnnxEmbedder.load(vertx, OnnxConfig.DEFAULT).await();
  }

  @AfterAll
  static void close() {
    embedder.close().await();
    vertx.close().await();
  }

  @Test
  @DisplayName("every text, also empty, very long or odd, gets 384 finite numbers of length 1")
  void everyTextHasADirection() {
    var texts = List.of(
        "",
        " \n\t ",
        "Dinner on Saturday at eight?",
        "¿Cenamos el sábado? 🍝👩‍👩‍👧",
        "مرحبا، كيف حالك؟",
        "a\u0000b",
        "half \uD83C a pair \uDF5D",
        "x".repeat(70_000),
        "😀".repeat(20_000),
        "word ".repeat(5_000));

    var vectors = embedder.passages(texts).await();

    assertThat(vectors).hasSameSizeAs(texts).allSatisfy(vector -> {
      assertThat(vector).hasSize(384);
      assertThat(dot(vector, vector)).isCloseTo(1, within(1e-4));
    });
  }

  @Test
  @DisplayName("the same text gets the same vector, alone, among others and asked for concurrently")
  void deterministic() {
    var random = new Random(7);
    var texts = new ArrayList<>(List.of(
        "See you at the station", "The invoice is overdue", "ok", "Feliz cumpleaños, Ana!"));
    var alone = texts.stream()
        .map(text -> embedder.passages(List.of(text)).await().get(0))
        .toList();
    for (int round = 0; round < 3; round++) {
      var order = new ArrayList<>(List.of(0, 1, 2, 3));
      Collections.shuffle(order, random);
      var together = embedder.passages(order.stream().map(texts::get).toList());
      var again = embedder.passages(order.stream().map(texts::get).toList());
      for (int i = 0; i < order.size(); i++) {
        assertThat(together.await().get(i)).isEqualTo(alone.get(order.get(i)));
        assertThat(again.await().get(i)).isEqualTo(alone.get(order.get(i)));
      }
    }
  }

  @Test
  @DisplayName("a question is nearer to the message that answers it than to others")
  void relatedIsNearer() {
    var messages = embedder
        .passages(List.of(
            "Platform: whatsapp\nSender: Ana\nMessage: Table booked, Saturday 8pm at the Italian place",
            "Platform: slack\nSender: Bo\nMessage: The deploy failed again, rolling back",
            "Platform: imessage\nSender: You\nMessage: My knee still hurts after the run"))
        .await();

    assertThat(nearest(messages, "With whom am I having dinner on Saturday?")).isZero();
    assertThat(nearest(messages, "What went wrong with the release?")).isEqualTo(1);
    assertThat(nearest(messages, "Was I injured while jogging?")).isEqualTo(2);
  }

  @Test
  @DisplayName("questions and passages are told apart, and text after the 512th token has no say")
  void prefixesAndTruncation() {
    var question = embedder.query("the red bicycle").await();
    var passage = embedder.passages(List.of("the red bicycle")).await().get(0);
    assertThat(question).isNotEqualTo(passage);

    String full = "word ".repeat(600);
    var vectors =
        embedder.passages(List.of(full, full + "and then a red bicycle")).await();
    assertThat(vectors.get(0)).isEqualTo(vectors.get(1));
    var shorter = embedder.passages(List.of("word ".repeat(400))).await().get(0);
    assertThat(shorter).isNotEqualTo(vectors.get(0));
  }

  @Test
  @DisplayName("a question is answered while a backfill still waits")
  void questionsOvertakePassages() {
    var backfill = embedder.passages(Collections.nCopies(256, "a message of the past ".repeat(10)));

    embedder.query("who?").await();

    assertThat(backfill.isComplete()).isFalse();
    assertThat(embedder.queueDepth()).isPositive();
    assertThat(backfill.await()).hasSize(256);
    assertThat(embedder.queueDepth()).isZero();
  }

  @Test
  @DisplayName("texts over the limit of the queue are refused, and there is room again later")
  void fullQueueRefuses() {
    var small = OnnxEmbedder.load(vertx, new OnnxConfig(1, 1, 1, 8)).await();
    var first = small.passages(Collections.nCopies(8, "waiting ".repeat(100)));

    assertThatThrownBy(() -> small.passages(List.of("one too many")).await())
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.OVERLOADED));
    assertThatThrownBy(
            () -> small.passages(Collections.nCopies(9, "never fits")).await())
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.PAYLOAD_TOO_LARGE));
    assertThat(first.await()).hasSize(8);
    assertThat(small.passages(List.of("fits now")).await()).hasSize(1);
    small.close().await();
  }

  @Test
  @DisplayName("closing finishes what was taken and refuses the rest")
  void closeFinishes() {
    var own = OnnxEmbedder.load(vertx, new OnnxConfig(1, 2, 8, 64)).await();
    var taken = own.passages(Collections.nCopies(32, "still in the queue"));

    Future<Void> closed = own.close();

    assertThatThrownBy(() -> own.query("too late").await())
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.INTERRUPTED));
    closed.await();
    assertThat(taken.succeeded()).isTrue();
    assertThat(taken.result()).hasSize(32);
  }

  private static org.assertj.core.data.Offset<Double> within(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }

  private static int nearest(List<float[]> messages, String question) {
    var asked = embedder.query(question).await();
    var scores = messages.stream().mapToDouble(message -> dot(asked, message)).toArray();
    double best = Arrays.stream(scores).max().orElseThrow();
    for (int i = 0; i < scores.length; i++) {
      if (scores[i] == best) {
        return i;
      }
    }
    throw new AssertionError("no best");
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }
}
