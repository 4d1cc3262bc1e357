package dev.askgateway.provider.anthropic;

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

/** A message as it is asked for. */
record AnthropicWire(ProviderConfig provider, ModelConfig model, ModelRequest request)
    implements Wire {
  private static final String VERSION = "2023-06-01";

  @Override
  public String url() {
    return provider.operation("/messages");
  }

  @Override
  public void headers(MultiMap headers) {
    headers.set("anthropic-version", VERSION);
    provider.keyHeader().put(headers, provider.apiKey());
  }

  @Override
  public Buffer body() {
    return AnthropicRequest.body(model, request).toBuffer();
  }

  @Override
  public SseDialect dialect() {
    return new AnthropicDialect(AnthropicTools.answerTool(request));
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return AnthropicErrors.ofStatus(status, body, retryAfter);
  }
}
