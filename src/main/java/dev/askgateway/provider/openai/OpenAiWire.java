package dev.askgateway.provider.openai;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.Wire;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A chat completion as it goes out. */
record OpenAiWire(ProviderConfig provider, ModelConfig model, ModelRequest request)
    implements Wire {
  @Override
  public String url() {
    return provider.operation("/chat/completions");
  }

  @Override
  public void headers(MultiMap headers) {
    if (!provider.apiKey().isEmpty()) {
      headers.set(HttpHeaders.AUTHORIZATION, "Bearer " + provider.apiKey());
    }
  }

  @Override
  public Buffer body() {
    return OpenAiRequest.body(provider, model, request).toBuffer();
  }

  @Override
  public SseDialect dialect() {
    return new OpenAiDialect();
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return UpstreamErrors.ofStatus(status, body, retryAfter);
  }
}
