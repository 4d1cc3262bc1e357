package dev.askgateway.provider.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.EmbeddingModel.Purpose;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@DisplayName("The model in this process, asked like one over the network")
class OnnxEmbeddingsTest {

  @Test
  @DisplayName("is loaded with the first text and gives 384 numbers for each, in their order")
  void vectors(Vertx vertx) {
    OnnxLoader loader = new OnnxLoader(vertx, OnnxConfig.DEFAULT);
    OnnxEmbeddings model = new OnnxEmbeddings("onnx", loader);

    EmbeddingModel.Embeddings two = Wait.onLoop(
        vertx,
        () -> model.embed(
            new EmbeddingModel.Request(List.of("a cat", "a train"), Purpose.DOCUMENT, 384),
            Deadlines.DEFAULT));
    EmbeddingModel.Embeddings one = Wait.onLoop(
        vertx,
        () -> model.embed(
            new EmbeddingModel.Request(List.of("a train"), Purpose.DOCUMENT, null),
            Deadlines.DEFAULT));
    Wait.on(loader.close());

    assertThat(two.vectors()).hasSize(2).allSatisfy(vector -> assertThat(vector).hasSize(384));
    assertThat(two.vectors().get(1)).isEqualTo(one.vectors().get(0));
    assertThat(two.usage().estimated()).isTrue();
  }

  @Test
  @DisplayName("another length than its own is the caller's mistake")
  void otherLength(Vertx vertx) {
    OnnxEmbeddings model = new OnnxEmbeddings("onnx", new OnnxLoader(vertx, OnnxConfig.DEFAULT));

    assertThatThrownBy(() -> Wait.onLoop(
            vertx,
            () -> model.embed(
                new EmbeddingModel.Request(List.of("a cat"), Purpose.QUERY, 256),
                Deadlines.DEFAULT)))
        .isInstanceOfSatisfying(GatewayError.class, error -> {
          assertThat(error.code()).isEqualTo(Code.INVALID_REQUEST);
          assertThat(error.field()).isEqualTo("dimensions");
        });
  }
}
