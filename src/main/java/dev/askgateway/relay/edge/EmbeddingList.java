package dev.askgateway.relay.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.askgateway.core.Usage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/** Vectors as the answer of OpenAI's embeddings, written by hand. */
public final class EmbeddingList {
  private EmbeddingList() {}

  /** How the numbers are written. */
  public enum Encoding {
    /** A JSON list of decimal numbers. */
    FLOAT,
    /** The bytes of little-endian 32-bit floats, in base 64. */
    BASE64
  }

  /** The whole body. Takes some time for many long vectors: off the event loop then. */
  public static Buffer of(String model, List<float[]> vectors, Encoding encoding, Usage usage) {
    Buffer out = Buffer.buffer("{\"object\":\"list\",\"data\":[");
    for (int i = 0; i < vectors.size(); i++) {
      out.appendString(i == 0 ? "" : ",")
          .appendString("{\"object\":\"embedding\",\"index\":" + i + ",\"embedding\":");
      if (encoding == Encoding.BASE64) {
        base64(vectors.get(i), out);
      } else {
        floats(vectors.get(i), out);
      }
      out.appendString("}");
    }
    out.appendString("],\"model\":\"");
    new JsonText().append(model, out);
    long tokens = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    return out.appendString("\",\"usage\":")
        .appendString(new JsonObject()
            .put("prompt_tokens", tokens)
            .put("total_tokens", tokens)
            .encode())
        .appendString("}");
  }

  private static void base64(float[] vector, Buffer out) {
    ByteBuffer bytes =
        ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(vector);
    out.appendString("\"")
        .appendBytes(Base64.getEncoder().encode(bytes.array()))
        .appendString("\"");
  }

  private static void floats(float[] vector, Buffer out) {
    StringBuilder numbers = new StringBuilder(vector.length * 12).append('[');
    for (int i = 0; i < vector.length; i++) {
      numbers.append(i == 0 ? "" : ",").append(vector[i]);
    }
    out.appendBytes(numbers.append(']').toString().getBytes(UTF_8));
  }
}
