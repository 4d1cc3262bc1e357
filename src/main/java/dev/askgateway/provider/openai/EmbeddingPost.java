package dev.askgateway.provider.openai;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.http.Post;
import dev.askgateway.provider.http.UpstreamErrors;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request for embeddings as it goes out: numbers as numbers, which every server can write. */
record EmbeddingPost(ProviderConfig provider, ModelConfig model, EmbeddingModel.Request request)
    implements Post {
  @Override
  public String url() {
    return provider.operation("/embeddings");
  }

  @Override
  public void headers(MultiMap headers) {
    provider.keyHeader().put(headers, provider.apiKey());
  }

  @Override
  public Buffer body() {
    JsonObject body = new JsonObject()
        .put("model", model.model())
        .put("input", new JsonArray(request.texts()))
        .put("encoding_format", "float");
    if (request.dimensions() != null) {
      body.put("dimensions", request.dimensions());
    }
    return body.toBuffer();
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return UpstreamErrors.ofStatus(status, body, retryAfter);
  }
}
