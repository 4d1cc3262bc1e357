package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.EmbeddingModel.Embeddings;
import dev.askgateway.provider.EmbeddingModel.Request;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.UpstreamErrors;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a response with embeddings in one pass, without a tree of its many numbers. */
final class EmbeddingAnswer {
  private static final float[] MISSING = {};

  private final float[][] vectors;
  private int next;
  private @Nullable Usage usage;

  private EmbeddingAnswer(int texts) {
    this.vectors = new float[texts][];
    Arrays.fill(vectors, MISSING);
  }

  /**
   * The vectors in the order of the texts.
   *
   * @throws GatewayError with {@link ProviderFailure} as its cause for everything else
   */
  static Embeddings read(Buffer body, Request request) {
    EmbeddingAnswer answer = new EmbeddingAnswer(request.texts().size());
    try (JsonParser at = Trees.factory().createParser(body.getBytes())) {
      if (at.nextToken() != JsonToken.START_OBJECT) {
        throw broken("not a JSON object");
      }
      answer.members(at);
    } catch (IOException malformed) {
      throw broken("a response that is not JSON");
    }
    return answer.checked(request);
  }

  private void members(JsonParser at) throws IOException {
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "data" -> data(at);
        case "usage" -> usage = OpenAiUsage.read(at);
        case "error" -> {
          Object error = UpstreamErrors.told(Trees.any(at));
          if (error != null) {
            throw UpstreamErrors.ofStream(error);
          }
        }
        default -> at.skipChildren();
      }
    }
  }

  private void data(JsonParser at) throws IOException {
    if (!Lenient.isArray(at)) {
      return;
    }
    while (at.nextToken() != JsonToken.END_ARRAY) {
      if (Lenient.isObject(at)) {
        entry(at);
      }
    }
  }

  /** An entry goes to the place it names, or to the next one. */
  private void entry(JsonParser at) throws IOException {
    long index = next;
    float[] vector = MISSING;
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "index" -> index = Objects.requireNonNullElse(Lenient.number(at), index);
        case "embedding" -> vector = numbers(at);
        default -> at.skipChildren();
      }
    }
    if (index < 0 || index >= vectors.length || vectors[(int) index] != MISSING) {
      throw broken("a vector that belongs to no text");
    }
    vectors[(int) index] = vector;
    next++;
  }

  private static float[] numbers(JsonParser at) throws IOException {
    if (!Lenient.isArray(at)) {
      return MISSING;
    }
    float[] numbers = new float[1_024];
    int count = 0;
    while (at.nextToken() != JsonToken.END_ARRAY) {
      if (!at.currentToken().isNumeric()) {
        throw broken("a vector of something else than numbers");
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, count * 2);
      }
      numbers[count++] = at.getFloatValue();
    }
    return Arrays.copyOf(numbers, count);
  }

  private Embeddings checked(Request request) {
    int length = request.dimensions() == null ? -1 : request.dimensions();
    for (float[] vector : vectors) {
      length = length < 0 ? vector.length : length;
      if (vector.length != length || !isDirection(vector)) {
        throw ProviderFailure.error(
            Kind.PROTOCOL,
            "a vector that is missing, zero, not finite or of another length",
            usage == null ? Usage.NONE : inputOf(usage));
      }
    }
    long chars = request.texts().stream().mapToLong(String::length).sum();
    return new Embeddings(
        List.of(vectors), usage == null ? Usage.estimate(chars, 0) : inputOf(usage));
  }

  private static boolean isDirection(float[] vector) {
    boolean any = false;
    for (float number : vector) {
      if (!Float.isFinite(number)) {
        return false;
      }
      any |= number != 0;
    }
    return any;
  }

  private static Usage inputOf(Usage usage) {
    return new Usage(usage.inputTokens() + usage.cacheReadTokens(), 0, 0, 0, 0, false);
  }

  private static GatewayError broken(String what) {
    return ProviderFailure.error(Kind.PROTOCOL, what);
  }
}
