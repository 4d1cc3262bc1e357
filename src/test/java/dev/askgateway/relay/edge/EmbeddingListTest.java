package dev.askgateway.relay.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EmbeddingListTest {
  private static final List<float[]> VECTORS =
      List.of(new float[] {0.1f, -2e-20f, 3f}, new float[] {1.5f, 0f, -0.25f});

  private static JsonArray data(EmbeddingList.Encoding encoding) {
    JsonObject list =
        new JsonObject(EmbeddingList.of("m", VECTORS, encoding, new Usage(4, 0, 0, 0, 0, false)));
    assertThat(list.getString("model")).isEqualTo("m");
    assertThat(list.getJsonObject("usage"))
        .isEqualTo(new JsonObject().put("prompt_tokens", 4).put("total_tokens", 4));
    return list.getJsonArray("data");
  }

  @Test
  @DisplayName("numbers come back as the floats they were")
  void floats() {
    JsonArray data = data(EmbeddingList.Encoding.FLOAT);

    for (int i = 0; i < 2; i++) {
      JsonArray numbers = data.getJsonObject(i).getJsonArray("embedding");
      for (int j = 0; j < 3; j++) {
        assertThat(numbers.getFloat(j)).isEqualTo(VECTORS.get(i)[j]);
      }
      assertThat(data.getJsonObject(i).getInteger("index")).isEqualTo(i);
    }
  }

  @Test
  @DisplayName("base 64 holds little-endian floats")
  void base64() {
    byte[] bytes = Base64.getDecoder()
        .decode(data(EmbeddingList.Encoding.BASE64).getJsonObject(1).getString("embedding"));

    float[] read = new float[3];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(read);
    assertThat(read).containsExactly(VECTORS.get(1));
  }
}
