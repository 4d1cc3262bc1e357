package dev.askgateway.provider.openai;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.http.JsonCall;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Embeddings over HTTP. Build one for each event loop, over that loop's client. */
public final class OpenAiEmbedding implements EmbeddingModel {
  private static final int MOST_TEXTS = 2_048;

  /** Of all inputs of a request together: OpenAI's API reference, "Create embeddings". */
  private static final int MOST_TOKENS = 300_000;

  /** A longer response is parsed on a worker: it takes over a millisecond. */
  private static final int MOST_BYTES_ON_LOOP = 64 << 10;

  /** Room for 4,096 numbers of a vector at full precision, blanks and all. */
  private static final int MOST_BYTES_PER_TEXT = 128 << 10;

  private static final int MOST_BYTES = 128 << 20;

  private final UpstreamClient client;
  private final ProviderConfig provider;
  private final ModelConfig model;

  public OpenAiEmbedding(UpstreamClient client, ProviderConfig provider, ModelConfig model) {
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
    return Dialect.OPENAI;
  }

  @Override
  public int mostTexts() {
    return MOST_TEXTS;
  }

  @Override
  public int mostTokens() {
    return MOST_TOKENS;
  }

  @Override
  public Future<Embeddings> embed(Request request, Deadlines deadlines) {
    Future<Embeddings> all = Future.succeededFuture(new Embeddings(List.of(), Usage.NONE));
    for (int from = 0; from < request.texts().size(); from += MOST_TEXTS) {
      int to = Math.min(request.texts().size(), from + MOST_TEXTS);
      Request part =
          new Request(request.texts().subList(from, to), request.purpose(), request.dimensions());
      all = all.compose(before -> call(part, deadlines).map(after -> joined(before, after)));
    }
    return all;
  }

  private Future<Embeddings> call(Request request, Deadlines deadlines) {
    long most = (64L << 10) + (long) request.texts().size() * MOST_BYTES_PER_TEXT;
    return JsonCall.post(client, deadlines, new EmbeddingPost(provider, model, request), (int)
            Math.min(MOST_BYTES, most))
        .compose(body -> parsed(body, request));
  }

  private Future<Embeddings> parsed(Buffer body, Request request) {
    if (body.length() <= MOST_BYTES_ON_LOOP) {
      return Future.succeededFuture(EmbeddingAnswer.read(body, request));
    }
    return client.vertx().executeBlocking(() -> EmbeddingAnswer.read(body, request), false);
  }

  private static Embeddings joined(Embeddings one, Embeddings next) {
    List<float[]> vectors = new ArrayList<>(one.vectors());
    vectors.addAll(next.vectors());
    Usage a = one.usage();
    Usage b = next.usage();
    Usage usage =
        new Usage(a.inputTokens() + b.inputTokens(), 0, 0, 0, 0, a.estimated() || b.estimated());
    return new Embeddings(vectors, usage);
  }
}
