package dev.askgateway.provider.gemini;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.Wire;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A streamed generateContent as it goes out. The key goes in a header, never in the address, which
 * travels to places that a key must not.
 */
record GeminiWire(ProviderConfig provider, ModelConfig model, ModelRequest request)
    implements Wire {

  /** Without {@code alt=sse} the reply is no event stream. The base address may have a query. */
  @Override
  public String url() {
    String url = provider.operation(GeminiAddress.path(model.model(), "streamGenerateContent"));
    if (url.endsWith("?") || url.endsWith("&")) {
      return url + "alt=sse";
    }
    return url + (url.indexOf('?') < 0 ? "?alt=sse" : "&alt=sse");
  }

  @Override
  public void headers(MultiMap headers) {
    provider.keyHeader().put(headers, provider.apiKey());
  }

  @Override
  public Buffer body() {
    return GeminiRequest.body(model, request).toBuffer();
  }

  @Override
  public SseDialect dialect() {
    return new GeminiDialect();
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return GeminiErrors.ofStatus(status, body, retryAfter);
  }
}
