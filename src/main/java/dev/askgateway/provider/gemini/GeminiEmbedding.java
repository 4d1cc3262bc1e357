package dev.askgateway.provider.gemini;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.JsonCall;
import dev.askgateway.provider.http.Post;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gemini's vectors: one text at a time or a batch. Longer lists are sent one batch after another. */
public final class GeminiEmbedding implements EmbeddingModel {
  private static final int MOST_TEXTS = 100;

  /** A full batch of vectors of several thousand numbers, twenty characters each. */
  private static final int MOST_BYTES = 16 << 20;

  private final UpstreamClient client;
  private final ProviderConfig provider;
  private final ModelConfig model;

  public GeminiEmbedding(UpstreamClient client, ProviderConfig provider, ModelConfig model) {
    this.client = client;
    this.provider = provider;
    this.model = model;
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public String model() {
    return model.model();
  }

  @Override
  public Dialect dialect() {
    return Dialect.GEMINI;
  }

  @Override
  public int mostTexts() {
    return MOST_TEXTS;
  }

  @Override
  public Future<Embeddings> embed(Request request, Deadlines deadlines) {
    long endNanos = System.nanoTime() + deadlines.total().toNanos();
    return from(0, request, deadlines, endNanos, new ArrayList<>(), Usage.NONE);
  }

  /** Sends what is left from that text on, in what is left of the time. */
  private Future<Embeddings> from(
      int start,
      Request request,
      Deadlines deadlines,
      long endNanos,
      List<float[]> vectors,
      Usage used) {
    if (start >= request.texts().size()) {
      return Future.succeededFuture(new Embeddings(vectors, used));
    }
    Duration left = Duration.ofNanos(endNanos - System.nanoTime());
    if (left.toMillis() < 1) {
      return Future.failedFuture(ProviderFailure.error(Kind.TIMEOUT, "embeddings"));
    }
    int end = Math.min(request.texts().size(), start + MOST_TEXTS);
    List<String> texts = request.texts().subList(start, end);
    Call post = new Call(provider, model, request, texts);
    GeminiVectors reader = new GeminiVectors(texts, wanted(request));
    return JsonCall.post(client, within(deadlines, left), post, MOST_BYTES)
        .compose(body -> client.vertx().executeBlocking(() -> reader.read(body), false))
        .compose(batch -> {
          vectors.addAll(batch.vectors());
          return from(end, request, deadlines, endNanos, vectors, sum(used, batch.usage()));
        });
  }

  /** The length all vectors must have, or 0 for any that they share. */
  private int wanted(Request request) {
    Integer asked = request.dimensions();
    return asked == null ? model.capabilities().embeddingDimensions() : asked;
  }

  private static Deadlines within(Deadlines deadlines, Duration left) {
    Duration first = deadlines.firstDelta().compareTo(left) < 0 ? deadlines.firstDelta() : left;
    return new Deadlines(deadlines.connect(), deadlines.headers(), first, deadlines.stall(), left);
  }

  private static Usage sum(Usage one, Usage other) {
    return new Usage(
        one.inputTokens() + other.inputTokens(), 0, 0, 0, 0, one.estimated() || other.estimated());
  }

  /** One call: a single text and a batch have operations and shapes of their own. */
  private record Call(
      ProviderConfig provider, ModelConfig model, Request request, List<String> texts)
      implements Post {
    @Override
    public String url() {
      return provider.operation(GeminiAddress.path(
          model.model(), texts.size() == 1 ? "embedContent" : "batchEmbedContents"));
    }

    @Override
    public void headers(MultiMap headers) {
      provider.keyHeader().put(headers, provider.apiKey());
    }

    @Override
    public Buffer body() {
      if (texts.size() == 1) {
        return one(texts.get(0)).toBuffer();
      }
      JsonArray requests = new JsonArray();
      texts.forEach(text -> requests.add(one(text)));
      return new JsonObject().put("requests", requests).toBuffer();
    }

    private JsonObject one(String text) {
      JsonObject body = new JsonObject()
          .put("model", GeminiAddress.resource(model.model()))
          .put("content", new JsonObject().put("parts", GeminiContents.text(text)))
          .put(
              "taskType",
              switch (request.purpose()) {
                case QUERY -> "RETRIEVAL_QUERY";
                case DOCUMENT -> "RETRIEVAL_DOCUMENT";
              });
      Integer dimensions = request.dimensions();
      return dimensions == null ? body : body.put("outputDimensionality", dimensions);
    }

    @Override
    public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
      return GeminiErrors.ofStatus(status, body, retryAfter);
    }
  }
}
